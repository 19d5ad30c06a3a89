import { expect, it } from 'vitest';
import type { Action } from '../../contracts/contract.ts';
import { foundBy } from './found-by.ts';

const told = (
  action: Action,
  notes: string[],
  fields: Record<string, string | number | boolean | string[]>,
): string[] => foundBy({ action, notes, artifacts: [], fields });

it('is all that a review has against it where it is sent back, each thing once', () => {
  const fields = { approved: false, issues_total: 1, critical: [], minor: ['a name'], test_coverage: 'insufficient' };
  expect(told('fix', [], fields)).toEqual(['a name', 'test coverage: insufficient']);
  const more = { minor: ['a name'], security: 'a token in a log', test_coverage: 'adequate', recommendation: 'block' };
  expect(told('fix', ['a crash', 'a token in a log'], more)).toEqual(['a crash', 'a token in a log', 'a name']);
});

it('is what the last look warns of where it names nothing that blocks', () => {
  const fields = { ready_to_merge: false, warnings: ['no test of an empty list'], test_status: 'some-fail' };
  expect(told('fix', [], fields)).toEqual(['no test of an empty list', 'tests: some-fail']);
});

it('is what counts by its contract where the work goes on', () => {
  expect(told('proceed', ['seen'], { minor: ['a name'], test_coverage: 'insufficient' })).toEqual(['seen']);
  expect(told('defer', ['later'], { recommendations: ['brand it'] })).toEqual(['later']);
});
