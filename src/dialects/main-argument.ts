/** What a tool was called for, in one word or line: the command, the path, the question. */
import { valueAt } from '../base/json-value.ts';
import { jsonOf, textIn } from './values.ts';

/** The first of these that a call has says most about it. */
const telling = [
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

/** Empty where there is nothing to tell. `directory` is where the agent works: paths in it are shown without it. */
export function mainArgument(input: unknown, directory = ''): string {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input.slice(0, most) : '';
  for (const name of telling) {
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
