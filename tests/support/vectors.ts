/** Returns as the conventions write them, and what each must become: written out by hand, not by running the code. */
import { expect, it } from 'vitest';
import type { Action, Contract } from '../../src/contracts/contract.ts';
import { read } from '../../src/contracts/read/read.ts';
import { actionFor } from '../../src/contracts/registry.ts';
import type { Result } from '../../src/contracts/result.ts';
import { repositoryFile } from './repository.ts';
import { contractNamed } from './wire-returns.ts';

export const emptyResult = {
  artifacts: [],
  filesTouched: [],
  checks: [],
  notes: [],
  errors: [],
  metadata: {},
  fields: {},
  deviations: [],
  degraded: [],
} satisfies Partial<Result>;

export interface Vector {
  /** Below `tests/seeds/fixtures`. */
  readonly file: string;
  readonly contract: string;
  readonly result: Result;
  readonly action: Action;
}

export function seed(file: string): string {
  return repositoryFile(`tests/seeds/fixtures/${file}`);
}

/** Defines the tests that every return passes, however it arrives. */
export function testVectors(vectors: readonly Vector[]): void {
  const contractOf = ({ contract }: Vector): Contract => contractNamed(contract);

  it.each(vectors)('reads $file whole, with nothing to remark', (vector) => {
    expect(read(contractOf(vector), seed(vector.file))).toStrictEqual({ ok: true, result: vector.result });
  });

  it.each(vectors)('follows $file with $action', (vector) => {
    expect(actionFor(contractOf(vector), vector.result)).toBe(vector.action);
  });

  it.each(vectors)('reads $file from the end of a longer answer', (vector) => {
    const { result } = vector;
    const reading = read(contractOf(vector), `I have finished.\n\n${seed(vector.file)}`);
    const deviations = result.wireFormat === 'block' ? [] : ['text-around'];
    expect(reading.ok && reading.result.deviations.map(({ code }) => code)).toEqual(deviations);
    expect(reading).toEqual({ ok: true, result: { ...result, deviations: expect.any(Array) as unknown } });
  });

  it.each(vectors)('reads $file with a byte order mark and CRLF', (vector) => {
    const text = `\uFEFF${seed(vector.file).replaceAll('\n', '\r\n')}`;
    expect(read(contractOf(vector), text)).toStrictEqual({ ok: true, result: vector.result });
  });
}
