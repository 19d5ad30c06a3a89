/**
 * What must hold for every contract and all its values: printing and reading gives them back, and says nothing against
 * them.
 *
 * A result can hold fewer texts than there are: none with NUL or half a character, none that redaction would change, none
 * without anything to see, none above its limit. Beyond that,
 * - no format carries a word for none (`none`, `n/a`, `-` …) in a text field that may be missing or none: agents write the
 *   words where they mean null, quoted or not. Everywhere else, items of lists included, they are words like any other;
 * - line cannot carry 100 characters: a longer one is a violation by design;
 * - report cannot carry more than 64 KiB in its frontmatter, which is a violation by design.
 * Everything else is carried, in quotes or in the frontmatter where the bare text would be mistaken for structure.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../src/contracts/contract.ts';
import { fromEnvelope } from '../../src/contracts/read/envelope.ts';
import type { DeviationCode } from '../../src/contracts/finding.ts';
import { print, printValues } from '../../src/contracts/write/print.ts';
import { read } from '../../src/contracts/read/read.ts';
import type { Result } from '../../src/contracts/result.ts';
import type { ValueOptions, Values } from './arbitrary-values.ts';

/** They speak of the length of valid values, not of how they were written. */
const harmless = new Set<DeviationCode>(['block-long', 'summary-long']);

export function valueOptions({ wireFormat }: Contract): ValueOptions {
  return wireFormat === 'line' ? { maxLength: 16, maxItems: 2 } : {};
}

function accepted(contract: Contract, text: string): Result {
  const reading = read(contract, text);
  if (!reading.ok) throw new Error(`refused: ${JSON.stringify(reading.violations)}\n${text}`);
  const unexpected = reading.result.deviations.filter(({ code }) => !harmless.has(code));
  if (unexpected.length > 0) throw new Error(`deviations: ${JSON.stringify(unexpected)}\n${text}`);
  return reading.result;
}

/** In the envelope a list that was left out is an empty list. */
function asKept({ fields }: Contract, values: Values): Values {
  const lists = Object.keys(fields).filter((name) => fields[name]?.is !== undefined && fields[name]?.type === 'list');
  return { ...Object.fromEntries(lists.map((name) => [name, []])), ...values };
}

/** The detail of a deviation counts characters, which an empty list that is now written out adds to. */
function withoutDetails(result: Result): Result {
  return { ...result, deviations: result.deviations.map((deviation) => ({ ...deviation, detail: '' })) };
}

function assertSame(what: string, got: unknown, wanted: unknown, text: string): void {
  if (isDeepStrictEqual(got, wanted)) return;
  throw new Error(`${what}\ngot    ${JSON.stringify(got)}\nwanted ${JSON.stringify(wanted)}\n${text}`);
}

export function assertPrintReadIdentity(contract: Contract, values: Values): void {
  const text = printValues(contract, values);
  const result = accepted(contract, text);
  assertSame('other values', fromEnvelope(contract, result), { ...asKept(contract, values) }, text);
  const again = print(contract, result);
  assertSame('another result', withoutDetails(accepted(contract, again)), withoutDetails(result), again);
}
