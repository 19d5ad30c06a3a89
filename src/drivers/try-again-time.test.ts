import { describe, expect, it } from 'vitest';
import { tryAgainTime } from './try-again-time.ts';
import { leastTime } from '../../tests/support/processor-time.ts';

/** By the clock of this machine, as the words are. */
const at = (day: number, hours: number, minutes: number, seconds = 0): number =>
  new Date(2026, 4, day, hours, minutes, seconds).getTime();
const now = at(1, 14, 30, 20);

describe('tryAgainTime', () => {
  it.each([
    ['Please try again in 1.5s.', 1.5],
    ['Please try again in 6m0s.', 360],
    ['try again in 20 seconds', 20],
    ['Try again in 5 minutes.', 300],
    ['try again in 1 hour 5 minutes', 3900],
    ['try again in 2 hours, 5 minutes and 1 second', 7501],
    ['try again in 3 days 2 hours 1 minute.', 266_460],
  ])('reads %j', (text, seconds) => {
    expect(tryAgainTime(text, now)).toBe(now + seconds * 1000);
  });

  it.each([
    ['purchase more credits or try again at 3:52 PM.', at(1, 15, 53)],
    ['try again at 2:30 PM', at(1, 14, 31)],
    ['try again at May 3rd, 2026 12:05 AM.', at(3, 0, 6)],
    ['try again at May 2nd, 2026 12:00 PM', at(2, 12, 1)],
  ])('reads the clock of %j', (text, time) => {
    expect(tryAgainTime(text, now)).toBe(time);
  });

  it.each([
    ["You've hit your 5-hour limit · resets 4:39pm (UTC)", '2026-05-01T16:40:00Z'],
    ['resets 4:39am (UTC)', '2026-05-02T04:40:00Z'],
    ['resets 12pm (UTC)', '2026-05-02T12:01:00Z'],
    ['resets 12:30 PM (UTC)', '2026-05-01T12:31:00Z'],
  ])('reads the next time of %j', (text, time) => {
    expect(tryAgainTime(text, Date.parse('2026-05-01T12:30:20Z'))).toBe(Date.parse(time));
  });

  it.each([
    [''],
    ['resets 4:39am'],
    ['resets 4:39am (Europe/Berlin)'],
    ['resets 14:39pm (UTC)'],
    ['resets Nov 18, 4am (UTC)'],
    ['try again later'],
    ['try again in a moment'],
    ['try again in 5'],
    ['try again in 500ms'],
    ['try again in 9 days'],
    ['try again at 2:29 PM'],
    ['try again at 13:30 PM'],
    ['try again at 2:75 PM'],
    ['try again at 15:30'],
    ['try again at Foo 3rd, 2026 1:00 PM'],
    ['try again at Jul 3rd, 2026 1:00 PM'],
    ['try again at May 1st, 2025 3:52 PM'],
  ])('does not know from %j', (text) => {
    expect(tryAgainTime(text, now)).toBeUndefined();
  });

  it.each([['try again in 1 s '], ['try again in '], ['1 hour '], ['try again at 1:']])(
    'reads %j many times over within a moment',
    (piece) => {
      expect(leastTime(() => tryAgainTime(piece.repeat(50_000), now), 500)).toBeLessThan(500);
    },
  );
});
