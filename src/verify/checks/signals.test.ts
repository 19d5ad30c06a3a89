import { expect, it } from 'vitest';
import { checkSignals, type Signals } from './signals.ts';

it.each<[signals: Partial<Signals>, ...expected: string[]]>([
  [{}],
  [{ repairs: 1 }, 'repaired: the return was repaired once'],
  [{ repairs: 2 }, 'repaired: the return was repaired 2 times'],
  [{ expectsChanges: true, changed: 0 }, 'empty-diff: no files changed'],
  [{ expectsChanges: false, changed: 0 }],
  [{ toolCalls: 0 }, 'no-tools-used: the agent used no tools'],
  [{ toolCalls: 1 }],
])('%j', (signals, ...expected) => {
  const all = checkSignals({ repairs: 0, expectsChanges: true, changed: 1, ...signals });
  expect(all.map(({ kind, fact }) => `${kind}: ${fact}`)).toEqual(expected);
  expect(all.some(({ rejects }) => rejects)).toBe(false);
});
