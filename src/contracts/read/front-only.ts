/**
 * Front only: reads a report that came as one JSON object of its frontmatter fields. There is no body: the contract's
 * template gives the summary, and the notes of an unfinished task are its problems.
 */
import type { Contract } from '../contract.ts';
import type { Field, Fields } from '../field.ts';
import { fieldName } from '../wire/entries.ts';
import type { WireReturn } from '../wire/raw.ts';

type Values = Readonly<Record<string, unknown>>;

/** Every frontmatter field the contract requires, and no field of the body; the body may hold nothing else it requires. */
export function isFrontOnly({ wireFormat, fields }: Contract, found: WireReturn): boolean {
  if (wireFormat !== 'report' || found.wireFormat !== 'json') return false;
  const named = new Set([...found.values.keys()].map((key) => fieldName(key.slice(0, 100))));
  return Object.entries(fields).every(([name, { section, presence, is }]) => {
    if (section === undefined) return presence === 'optional' || named.has(name);
    return !named.has(name) && (presence === 'optional' || is === 'summary');
  });
}

export function frontOf(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, { section }]) => section === undefined));
}

export function withProblems({ fields }: Contract, values: Values): Values {
  const nameOf = (test: (field: Field) => boolean): string =>
    Object.keys(fields).find((name) => test(fields[name] as Field)) ?? '';
  const problems = nameOf(({ feeds, section }) => feeds === 'problems' && section !== undefined);
  if (problems === '' || values[nameOf(({ is }) => is === 'status')] === 'completed') return values;
  return { ...values, [problems]: values[nameOf(({ is }) => is === 'notes')] ?? [] };
}
