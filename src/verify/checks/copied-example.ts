/**
 * Detects a return that copies the contract's own example or description. If most of the result's free text is ours,
 * the agent said nothing.
 */
import { fromEnvelope } from '../../contracts/read/envelope.ts';
import type { Contract } from '../../contracts/contract.ts';
import type { Field, Fields, FieldType } from '../../contracts/field.ts';
import { flatten } from '../../base/text.ts';
import type { Result } from '../../contracts/result.ts';
import type { WorkFinding } from '../../core/event/verification.ts';
import { finding } from '../../core/event/work-findings.ts';

/** Shorter texts match by chance. */
const shortest = 20;

export function copiesExample(contract: Contract, result: Result): WorkFinding[] {
  const own = textsOf(contract.fields, fromEnvelope(contract, result));
  const ours = new Set([...textsOf(contract.fields, contract.example), ...aboutOf(contract.fields)].map(plain));
  const blank = own.find((text) => hasTemplate(text, contract));
  if (blank !== undefined) return [finding('copied-example', { claim: blank, fact: 'the template was not filled in' })];
  const long = own.filter((text) => text.length >= shortest);
  const copied = long.filter((text) => ours.has(plain(text)));
  const [first] = copied;
  const isCopied = lengthOf(copied) * 2 > lengthOf(long) || ours.has(plain(result.summary));
  if (first === undefined || !isCopied) return [];
  return [finding('copied-example', { claim: first, fact: "copied from the contract's example" })];
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function plain(text: string): string {
  return flatten(text).toLowerCase();
}

/** Finds an unfilled `<summary>` that names one of the contract's fields. */
function hasTemplate(text: string, { fields, line = [] }: Contract): boolean {
  const names = new Set([...Object.keys(fields), ...line]);
  for (const [, name = ''] of text.slice(0, 10_000).matchAll(/<([a-z_]{1,40})>/g)) if (names.has(name)) return true;
  return false;
}

/** Every free text among the values, at any depth. */
function textsOf(fields: Fields, values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(fields).flatMap(([name, field]) => textsIn(field, (values as Record<string, unknown>)[name]));
}

function textsIn(type: FieldType, value: unknown): string[] {
  if (type.type === 'text') return typeof value === 'string' ? [value] : [];
  if (type.type === 'list') return Array.isArray(value) ? value.flatMap((one) => textsIn(type.of, one)) : [];
  return type.type === 'record' ? textsOf(type.fields, value) : [];
}

/** The descriptions of the fields. */
function aboutOf(fields: Fields): string[] {
  return Object.values(fields).flatMap((field: Field) => {
    const inner = field.type === 'list' ? field.of : field;
    return [field.about, ...(inner.type === 'record' ? aboutOf(inner.fields) : [])];
  });
}
