import { expect, it } from 'vitest';
import type { Action } from '../../contracts/contract.ts';
import { findingsOf } from './judgement.ts';

const findings = (
  action: Action,
  notes: string[],
  fields: Record<string, string | number | boolean | string[]>,
): string[] => findingsOf({ action, notes, artifacts: [], fields });

it('lists everything a review objects to when it sends work back, each once', () => {
  const fields = { approved: false, issues_total: 1, critical: [], minor: ['a name'], test_coverage: 'insufficient' };
  expect(findings('fix', [], fields)).toEqual(['a name', 'test coverage: insufficient']);
  const more = { minor: ['a name'], security: 'a token in a log', test_coverage: 'adequate', recommendation: 'block' };
  expect(findings('fix', ['a crash', 'a token in a log'], more)).toEqual(['a crash', 'a token in a log', 'a name']);
});

it('lists the warnings of the final review when it names no blocker', () => {
  const fields = { ready_to_merge: false, warnings: ['no test of an empty list'], test_status: 'some-fail' };
  expect(findings('fix', [], fields)).toEqual(['no test of an empty list', 'tests: some-fail']);
});

it('lists only the notes by contract when the work continues', () => {
  expect(findings('proceed', ['seen'], { minor: ['a name'], test_coverage: 'insufficient' })).toEqual(['seen']);
  expect(findings('defer', ['later'], { recommendations: ['brand it'] })).toEqual(['later']);
});
