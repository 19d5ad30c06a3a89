import { describe, expect, it } from 'vitest';
import type { PlanFaultCode } from '../plan-fault.ts';
import { readScope } from './scope.ts';
import { leastTime } from '../../../tests/support/processor-time.ts';

function read(text: string): { readonly scope: unknown; readonly codes: readonly PlanFaultCode[] } {
  const codes: PlanFaultCode[] = [];
  return { scope: readScope(text, 1, (code) => codes.push(code)), codes };
}

describe('readScope', () => {
  it.each([
    ['src', { scope: ['src'] }],
    ['src, !src/secrets', { scope: ['src'], forbidden: ['src/secrets'] }],
    ['!src/secrets', { scope: [], forbidden: ['src/secrets'] }],
    [
      'src, `!src/a`, !`src/b`, **!src/c**, ! src/d',
      { scope: ['src'], forbidden: ['src/a', 'src/b', 'src/c', 'src/d'] },
    ],
    ['src, !src/old/**, !./src//x/, !src/y/*', { scope: ['src'], forbidden: ['src/old', 'src/x', 'src/y'] }],
    ['!src/a (by hand), !src/a', { scope: [], forbidden: ['src/a'] }],
    ['!**', { scope: [], forbidden: ['.'] }],
    ['./!odd', { scope: ['!odd'] }],
    ['src/ab, !src/a', { scope: ['src/ab'], forbidden: ['src/a'] }],
  ])('takes %j apart', (text, scope) => {
    expect(read(text)).toEqual({ scope, codes: [] });
  });

  it.each<[string, PlanFaultCode]>([
    ['src, !', 'bad-scope'],
    ['src, !../x', 'scope-outside'],
    ['src, !/etc', 'scope-outside'],
    ['src, !src/*.test.ts', 'bad-scope'],
    ['src, !**/*.ts', 'bad-scope'],
    ['src/a, !src', 'bad-scope'],
    ['src, !src', 'bad-scope'],
    ['src, !.', 'bad-scope'],
  ])('refuses %j', (text, code) => {
    expect(read(text).codes).toEqual([code]);
  });

  it('takes linear time for long lists', () => {
    const list = (mark: string): string => Array.from({ length: 10_000 }, (_, at) => `${mark}a${at}`).join(',');
    const long = `${list('')},${list('!')}`;
    expect(leastTime(() => read(long), 1000)).toBeLessThan(1000);
  });
});
