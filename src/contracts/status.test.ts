import { describe, expect, it } from 'vitest';
import { isResumable, readStatus, statuses } from './status.ts';

describe('readStatus', () => {
  it.each(statuses)('%s is at home everywhere', (status) => {
    for (const format of ['report', 'json', 'block', 'line'] as const) {
      expect(readStatus(status, format)).toEqual({ status, foreign: false });
      expect(readStatus(status.toUpperCase(), format)).toEqual({ status, foreign: true });
    }
  });

  it.each([
    ['done', 'completed', ['report', 'block', 'line']],
    ['success', 'completed', ['block', 'line']],
    ['timeout', 'partial', ['line']],
    ['failure', 'failed', []],
    ['error', 'failed', []],
  ])('%s is %s', (word, status, home) => {
    for (const format of ['report', 'json', 'block', 'line'] as const) {
      expect(readStatus(word, format)).toEqual({ status, foreign: !home.includes(format) });
    }
  });

  it.each(['finished', '', 'constructor', '__proto__', 'completed!'])('%j is none', (word) => {
    expect(readStatus(word, 'line')).toBeUndefined();
  });
});

describe('isResumable', () => {
  it.each([
    ['completed', false],
    ['partial', true],
    ['blocked', true],
    ['failed', false],
  ] as const)('%s: %s', (status, resumable) => {
    expect(isResumable(status)).toBe(resumable);
  });
});
