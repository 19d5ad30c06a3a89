/** Salvage: keeps the readable parts of a refused return. */
import type { Contract } from '../contract.ts';
import { toEnvelope } from './envelope.ts';
import { limits } from '../field.ts';
import { Findings } from '../finding.ts';
import { readFields } from './read-fields.ts';
import type { Result, Salvage } from '../result.ts';
import { readEntries } from '../wire/entries.ts';

/** The length of the longest private keys: a secret may extend this far beyond an excerpt. */
const secretReach = 16 * 1024;

/** Both ends of a text. Redacts before cutting, because half a secret does not look like one. */
export function endsOf(text: string, findings: Findings = new Findings()): Pick<Salvage, 'head' | 'tail'> {
  const { excerpt } = limits;
  const reach = excerpt + secretReach;
  const isShort = text.length <= 2 * reach;
  const first = findings.clean(isShort ? text : text.slice(0, reach));
  const last = isShort ? first.slice(excerpt) : findings.clean(text.slice(-reach));
  return { head: first.slice(0, excerpt).toWellFormed(), tail: last.slice(-excerpt).toWellFormed() };
}

/** The end of a text, for a message. Redacts before cutting. */
export function lastWords(text: string, findings: Findings): string {
  if (text.trim() === '') return 'an empty text';
  const { head, tail } = endsOf(text.trimEnd(), findings);
  return (tail === '' ? head : tail).slice(-80);
}

/** Values found line by line in an answer without its form: salvaged, never accepted. */
export function formless(contract: Contract, text: string, { secretKinds }: Findings): Partial<Result> {
  const findings = new Findings();
  const known = new Set(Object.keys(contract.fields));
  const entries = new Map([...readEntries(text, known, findings)].filter(([key]) => known.has(key)));
  if (entries.size === 0) return {};
  const values = readFields(contract.fields, entries, '', { wireFormat: 'block', findings }, new Map());
  for (const kind of findings.secretKinds) secretKinds.add(kind);
  return toEnvelope(contract, values);
}
