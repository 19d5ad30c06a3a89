import { describe, expect, it } from 'vitest';
import { continuations, continueMessage, endingRefusals, refusalText } from './refused-turn.ts';

const refusal = (asked: string) => ({ asked, why: "outside the task's folder" });

describe('a turn ended by a refusal', () => {
  it.each([
    ['cancelled', 1],
    ['end_turn', 1],
    ['refusal', 0],
    ['max_tokens', 0],
    [undefined, 0],
  ])('stop reason %s', (stopReason, count) => {
    expect(endingRefusals([refusal('edit a')], { stopReason })).toHaveLength(count);
  });

  it('is continued as long as something new was refused', () => {
    const mayContinue = continuations();
    expect(mayContinue([refusal('edit a')])).toBe(true);
    expect(mayContinue([refusal('edit a'), refusal('edit b')])).toBe(true);
    expect(mayContinue([refusal('edit b')])).toBe(false);
  });

  it('is continued at most five times', () => {
    const mayContinue = continuations();
    const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => mayContinue([refusal(name)]));
    expect(asked).toEqual([true, true, true, true, true, false]);
  });
});

it('names what was refused and why, once, on one line and without secrets', () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  const asked = `execute curl -H\n${token}`;
  const message = continueMessage([refusal(asked), refusal(asked)]);
  expect(message.split('\n')[0]).toMatch(/^execute curl -H \S*redacted\S* was refused: outside the task's folder$/);
  expect(message.match(/was refused:/g)).toHaveLength(1);
  expect(message).toMatch(/Continue your task without it/);
  expect(refusalText([refusal('edit a')])).toBe(
    "edit a was refused: outside the task's folder; the agent did not continue without it",
  );
});
