import { describe, expect, it } from 'vitest';
import { press, signalOf } from './live-keys.ts';

describe('answering a checkpoint with a key', () => {
  const { armed } = press(null, 'a', 'checkpoint-1', 1000);

  it('takes the same key twice', () => {
    expect(armed).toEqual({ answer: 'approve', checkpoint: 'checkpoint-1', until: 4000 });
    expect(press(armed, 'a', 'checkpoint-1', 4000)).toEqual({
      armed: null,
      answered: { checkpoint: 'checkpoint-1', approved: true },
    });
    const rejecting = press(null, 'r', 'checkpoint-1', 1000);
    expect(press(rejecting.armed, 'r', 'checkpoint-1', 1500).answered).toEqual({
      checkpoint: 'checkpoint-1',
      approved: false,
    });
  });

  it.each([
    ['aa', true],
    ['rr', false],
  ])('takes two presses that arrive together: %s', (sent, approved) => {
    expect(press(null, sent, 'checkpoint-1', 1000)).toEqual({
      armed: null,
      answered: { checkpoint: 'checkpoint-1', approved },
    });
  });

  it.each([
    ['too late', 'a', 'checkpoint-1', 4001],
    ['another key', 'r', 'checkpoint-1', 1500],
    ['another checkpoint by now', 'a', 'checkpoint-2', 1500],
  ])('asks again: %s', (_why, key, checkpoint, now) => {
    const pressed = press(armed, key, checkpoint, now);
    expect(pressed.answered).toBeUndefined();
    expect(pressed.armed).toMatchObject({ checkpoint, until: now + 3000 });
  });

  it.each([
    ['a key without a meaning', 'x', 'checkpoint-1'],
    ['text that was pasted', 'aardvark', 'checkpoint-1'],
    ['two keys at once', 'ar', 'checkpoint-1'],
    ['nothing', '', 'checkpoint-1'],
    ['nothing is open', 'a', undefined],
    ['nothing is open for two presses', 'aa', undefined],
  ])('does nothing: %s', (_why, key, open) => {
    expect(press(armed, key, open, 1500)).toEqual({ armed: null });
  });
});

it.each([
  ['\u{3}', 'SIGINT'],
  ['aa\u{3}', 'SIGINT'],
  ['\u{1a}', 'SIGTSTP'],
  ['\u{1c}', 'SIGQUIT'],
  ['a', undefined],
])('%j is the signal %s', (sent, signal) => {
  expect(signalOf(sent)).toBe(signal);
});
