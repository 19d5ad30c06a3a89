/** Picks the argument that says most about a tool call: the command, the path, the question. */
import { valueAt } from '../base/json-value.ts';
import { jsonOf, textIn } from './values.ts';

/** Most telling first. */
const argumentNames = [
  'command',
  'cmd',
  'pattern',
  'query',
  'url',
  'file_path',
  'filePath',
  'filepath',
  'fileName',
  'path',
  'absolute_path',
  'notebook_path',
  'dir_path',
  'description',
  'title',
  'prompt',
  'skill',
  'name',
];
const most = 1000;

/** Empty for a call without arguments. `directory`: the agent's folder, removed from paths in it. */
export function mainArgument(input: unknown, directory = ''): string {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input.slice(0, most) : '';
  for (const name of argumentNames) {
    const value = valueAt(input, name);
    const text = Array.isArray(value)
      ? value.map((one) => textIn(one)).join(' ')
      : typeof value === 'string'
        ? value
        : '';
    if (text.trim() !== '') return inside(text.slice(0, most), directory);
  }
  const all = jsonOf(valueAt(input, 'arguments') ?? input);
  return all === '{}' || all === '[]' ? '' : all.slice(0, most);
}

export function inside(text: string, directory: string): string {
  return directory === '' ? text : text.replaceAll(`${directory}/`, '');
}
