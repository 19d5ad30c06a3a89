/** Adds the entry to settings in JSON. Settings with comments are left to a person. */
import { isObject, type JsonObject, objectOf } from '../../base/json-value.ts';
import type { EntryEdit } from './entry-edit.ts';
import type { EntryFormat } from './mcp-host.ts';
import type { PassedVariable } from './passed-variable.ts';

export function jsonEntry(
  text: string,
  { under, entry, reference = (from) => from }: Extract<EntryFormat, { kind: 'json' }>,
  variables: readonly PassedVariable[],
): EntryEdit {
  const wanted = Object.fromEntries(variables.map(({ name, from }) => [name, reference(from)]));
  const whole = variables.length === 0 ? entry : { ...entry, env: wanted };
  const shown = (divisi: JsonObject): string => JSON.stringify({ [under]: { divisi } }, null, 2);
  let settings: unknown;
  try {
    settings = text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return { kind: 'by-hand', why: 'it is not plain JSON', added: shown(whole) };
  }
  if (!isObject(settings) || !isObject(settings[under] ?? {})) {
    return { kind: 'by-hand', why: `it has no object ${under}`, added: shown(whole) };
  }
  const servers = objectOf(settings[under]);
  const before = servers['divisi'];
  const write = (divisi: JsonObject): string =>
    `${JSON.stringify({ ...settings, [under]: { ...servers, divisi } }, null, indentOf(text))}\n`;
  if (before === undefined) return { kind: 'add', added: shown(whole), text: write(whole), lacks: [] };
  if (!isObject(before)) return { kind: 'by-hand', why: 'its entry for divisi is not an object', added: shown(whole) };
  const env = objectOf(before['env']);
  const lacks = variables.map(({ name }) => name).filter((name) => !Object.hasOwn(env, name));
  if (lacks.length === 0) return { kind: 'complete' };
  const added = Object.fromEntries(lacks.map((name) => [name, wanted[name]]));
  const extended = write({ ...before, env: { ...env, ...added } });
  return { kind: 'extend', added: shown({ env: added }), text: extended, lacks };
}

/** As the file has it. */
function indentOf(text: string): string | number {
  return /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? 2;
}
