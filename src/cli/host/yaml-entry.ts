/** Adds the entry to Goose's settings in YAML, as text below `extensions:`, and only if the file then reads as before with the entry added. */
import { isDeepStrictEqual } from 'node:util';
import { load } from 'js-yaml';
import { isObject, objectOf } from '../../base/json-value.ts';
import type { EntryEdit } from './entry-edit.ts';

export function yamlEntry(text: string, own: readonly string[]): EntryEdit {
  const block = ['  divisi:', ...own.map((line) => `    ${line}`)];
  const added = ['extensions:', ...block].join('\n');
  const before = read(text);
  if (before === undefined) return { kind: 'by-hand', why: 'it cannot be read as YAML', added };
  const extensions = objectOf(before['extensions']);
  if (extensions['divisi'] !== undefined) return { kind: 'complete' };
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^extensions:\s*$/.test(line));
  const base = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const after = at === -1 ? `${base}${added}\n` : lines.toSpliced(at + 1, 0, ...block).join('\n');
  const expected = { ...before, extensions: { ...extensions, divisi: read(own.join('\n')) } };
  if (!isDeepStrictEqual(read(after), expected))
    return { kind: 'by-hand', why: 'its extensions are indented in another way', added };
  return { kind: 'add', added, text: after, lacks: [] };
}

/** Undefined unless it is a mapping. */
function read(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const found: unknown = text.trim() === '' ? {} : load(text);
    return isObject(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
