import { expect, it } from 'vitest';
import type { Entry } from '../../dialects/entry.ts';
import { turnAccount } from './turn-account.ts';

const account = (...usage: readonly unknown[]): ReturnType<typeof turnAccount> => {
  const all = turnAccount((line) => [{ kind: 'usage', text: '', usage: line } as Entry]);
  usage.forEach(all.take);
  return all;
};

it.each([
  [
    { tokens: 5, source: 'x', isPartial: true },
    { tokens: 5, source: 'x', isPartial: true },
  ],
  [
    { tokens: 0.5, cost: 2, source: 'x' },
    { cost: 2, source: 'x' },
  ],
  [{ tokens: 1e300, source: 'x', isPartial: true }, undefined],
  [{ tokens: -1 }, undefined],
])('of the usage %j, %j is kept', (told, known) => {
  expect(account({ tokens: 3 }, told).usage()).toEqual(known);
});
