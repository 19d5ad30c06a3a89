import { describe, expect, it } from 'vitest';
import { retryTime } from './retry-time.ts';
import { leastTime } from '../../tests/support/processor-time.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const week = 7 * 24 * 3600;

describe('retryTime', () => {
  it.each([
    ['retry after 30 s', 30],
    ['Rate limit met. Retry after 90 seconds.', 90],
    ['retry after 1 second', 1],
    ['RETRY AFTER 5m, please', 300],
    ['retry after 2 minutes', 120],
    ['retry after 1 minute', 60],
    ['retry after 1.5 h', 5400],
    ['retry after 3 hours\nat main.js:3', 10_800],
    ['retry after 45', 45],
    ['retry after 45 (limit: 10)', 45],
    ['429\r\nRetry-After: 120\r\nServer: x', 120],
    ['headers: { "retry-after": "17", "x": 1 }', 17],
    ['{"retry_after":8}', 8],
    ['retry after 0 s', 0],
    [`retry after ${week} s`, week],
    ['retry at 2026-05-01T12:00:10Z', 10],
    ['retry at 2026-05-01t12:01:00.000z.', 60],
    ['retry at: 2026-05-01T14:00+02:00', 0],
    ['retry after 10 s\nretry after 20 s', 20],
    ['retry after 10 s; gave up the retry after 3 attempts', 10],
  ])('reads %j', (text, seconds) => {
    expect(retryTime(text, now)).toBe(now + seconds * 1000);
  });

  it.each([
    [''],
    ['quota exceeded'],
    ['retry after a while'],
    ['retry after 3 attempts'],
    ['retry after 2 days'],
    ['retry after 500 ms'],
    ['retry-after-ms: 500'],
    ['retry after -5 s'],
    ['retry after 2026-05-02'],
    ['retry after 12:30'],
    ['retry after 1.2.3'],
    ['retry after 9999999999 s'],
    ['noretry after 5 s'],
    ['retry after 500 milliseconds'],
    ['retry after 5 s-curves'],
    ['retry after 5          days'],
    [`retry after ${week + 1} s`],
    ['retry after 169 hours'],
    ['retry at 30'],
    ['retry at 12:00'],
    ['retry at 2026-05-01T11:59:59Z'],
    ['retry at 2026-05-08T12:00:01Z'],
    ['retry at 2026-13-41T12:00:00Z'],
    ['retry at 2026-05-01T12:00:00Zulu'],
  ])('does not know from %j', (text) => {
    expect(retryTime(text, now)).toBeUndefined();
  });

  it.each([
    ['retry after '],
    ['retry after 1'],
    ['retry after "'],
    ['retry after 1 \t'],
    ['retry at 2026-05-01T12:'],
    [' '],
  ])('reads %j many times over within a moment', (piece) => {
    const text = `retry after 1${piece.repeat(50_000)} days`;
    expect(leastTime(() => expect(retryTime(text, now)).toBeUndefined(), 500)).toBeLessThan(500);
  });
});
