import { describe, expect, it } from 'vitest';
import {
  approvalOf,
  breakerLimit,
  countsForBreaker,
  type FailureClass,
  failureClasses,
  quotaGuess,
  remedyFor,
  signatureOf,
} from './failure-policy.ts';

/** What follows from the first four failures at a tier: where there is a stronger one, and where there is none. */
const rows: readonly [FailureClass, string, string, 'retry' | 'accept', boolean][] = [
  ['agent-error', 'escalate escalate escalate escalate', 'ask ask ask ask', 'retry', true],
  ['unfinished', 'again again ask ask', 'again again ask ask', 'retry', false],
  ['contract-violation', 'ask ask ask ask', 'ask ask ask ask', 'accept', true],
  ['verification-failed', 'again again escalate escalate', 'again again ask ask', 'retry', true],
  ['steering', 'ask ask ask ask', 'ask ask ask ask', 'accept', false],
  ['conflict', 'again again ask ask', 'again again ask ask', 'retry', false],
  ['timeout', 'again escalate escalate escalate', 'again ask ask ask', 'retry', true],
  ['limit', 'ask ask ask ask', 'ask ask ask ask', 'retry', true],
  ['quota', 'again again again again', 'again again again again', 'retry', false],
  ['environment', 'ask ask ask ask', 'ask ask ask ask', 'retry', true],
  ['authentication', 'ask ask ask ask', 'ask ask ask ask', 'retry', true],
  ['context-full', 'ask ask ask ask', 'ask ask ask ask', 'retry', true],
  ['refusal', 'ask ask ask ask', 'ask ask ask ask', 'retry', true],
  ['no-answer', 'again ask ask ask', 'again ask ask ask', 'retry', true],
  ['unclear', 'ask ask ask ask', 'ask ask ask ask', 'retry', true],
  ['cancelled', 'again again again again', 'again again again again', 'retry', false],
  ['lost', 'again again again ask', 'again again again ask', 'retry', false],
];

describe('the policy of each failure', () => {
  it('is in the table', () => {
    expect(rows.map(([failure]) => failure)).toEqual([...failureClasses]);
  });

  it.each(rows)('%s: %s; at the strongest tier: %s', (failure, below, strongest, approval, counts) => {
    const remedies = (isStrongest: boolean): string =>
      [1, 2, 3, 4].map((tries) => remedyFor(failure, tries, isStrongest)).join(' ');
    expect([remedies(false), remedies(true)]).toEqual([below, strongest]);
    expect([approvalOf(failure), countsForBreaker(failure)]).toEqual([approval, counts]);
  });
});

describe('equal failures', () => {
  it.each([
    ['line 7 is wrong', 'line 1203 is wrong'],
    ['cannot read /tmp/a/b.txt', 'cannot read src/other.ts'],
    ['commit 0a1b2c3d failed', 'commit ffee99887766 failed'],
    ['No  Such\n tool', 'no such tool'],
    [`${'x'.repeat(300)} one`, `${'x'.repeat(300)} other`],
  ])('%j and %j', (one, other) => {
    expect(signatureOf('agent-error', one)).toBe(signatureOf('agent-error', other));
  });

  it.each([
    ['no such tool', 'no such file'],
    ['line is wrong', 'line 7 is wrong'],
  ])('are not %j and %j', (one, other) => {
    expect(signatureOf('agent-error', one)).not.toBe(signatureOf('agent-error', other));
  });

  it('have the same class', () => {
    expect(signatureOf('timeout', 'x')).not.toBe(signatureOf('unclear', 'x'));
    expect(signatureOf('timeout', 'x')).toBe('timeout: x');
  });

  it('are three', () => {
    expect(breakerLimit).toBe(3);
  });
});

it('doubles the wait each time if the end of a quota pause is unknown, up to half an hour', () => {
  expect([0, 1, 2, 3, 5, 6, 50].map((times) => quotaGuess(times) / 60_000)).toEqual([1, 1, 2, 4, 16, 30, 30]);
});
