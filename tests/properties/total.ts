/** Properties of reading that hold for any text. */
import { isDeepStrictEqual } from 'node:util';
import type { Contract } from '../../src/contracts/contract.ts';
import { violationSchema } from '../../src/contracts/finding.ts';
import { read } from '../../src/contracts/read/read.ts';
import { type Reading, resultSchema } from '../../src/contracts/result.ts';

const longestGot = 81;

function assertValid(reading: Reading): void {
  if (reading.ok) {
    const parsed = resultSchema.safeParse(reading.result);
    if (!parsed.success) throw new Error(`not a result: ${JSON.stringify(parsed.error.issues)}`);
    return;
  }
  if (reading.violations.length === 0) throw new Error('refused without a violation');
  for (const violation of reading.violations) {
    if (
      !violationSchema.safeParse(violation).success ||
      violation.expected === '' ||
      violation.got.length > longestGot
    ) {
      throw new Error(`not a violation: ${JSON.stringify(violation)}`);
    }
  }
}

/** Plain data all the way down, with nothing in it that breaks where it goes next. */
function assertPlain(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error(`half a character at ${path}`);
    if (value.includes('\0')) throw new Error(`NUL at ${path}`);
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} at ${path}`);
  } else if (typeof value === 'object' && value !== null) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== (Array.isArray(value) ? Array.prototype : Object.prototype))
      throw new Error(`a foreign prototype at ${path}`);
    for (const [key, inner] of Object.entries(value)) {
      assertPlain(key, `a key of ${path}`);
      assertPlain(inner, `${path}.${key}`);
    }
  } else if (typeof value !== 'boolean' && value !== null) throw new Error(`${typeof value} at ${path}`);
}

const prototypeKeys = Reflect.ownKeys(Object.prototype).length;

/** Reading `text` gives a result or violations, both sound, and the same again after another text was read. */
export function assertTotal(contract: Contract, text: string, other: string): void {
  const reading: Reading = read(contract, text);
  assertValid(reading);
  assertPlain(reading, 'reading');
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(reading)), reading)) throw new Error('lost as JSON');
  if (Reflect.ownKeys(Object.prototype).length !== prototypeKeys) throw new Error('Object.prototype was changed');
  read(contract, other);
  if (!isDeepStrictEqual(read(contract, text), reading)) throw new Error('another reading the second time');
}
