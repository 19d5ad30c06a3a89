import { describe, expect, it } from 'vitest';
import { mostUsage, usageFrom } from './usage.ts';

describe('usageFrom', () => {
  it.each([
    [
      { tokens: 1200, cost: 0.02 },
      { tokens: 1200, cost: 0.02 },
    ],
    [
      { tokens: 0, cost: 0 },
      { tokens: 0, cost: 0 },
    ],
    [{ tokens: mostUsage }, { tokens: mostUsage }],
    [{ cost: 1, model: 'large' }, { cost: 1 }],
    [{ tokens: 1.5, cost: 2 }, { cost: 2 }],
    [{ tokens: 7, cost: null }, { tokens: 7 }],
  ])('takes from %j what can be true', (given, usage) => {
    expect(usageFrom(given)).toEqual(usage);
  });

  it.each([
    [{}],
    [{ tokens: -1, cost: -0.01 }],
    [{ tokens: '12', cost: [1] }],
    [{ tokens: Number.NaN, cost: Number.POSITIVE_INFINITY }],
    [{ tokens: mostUsage + 1, cost: mostUsage * 2 }],
    [Object.create({ tokens: 3 }) as object],
    [[1, 2]],
    [null],
    [undefined],
    ['tokens'],
    [12],
  ])('takes nothing from %j', (given) => {
    expect(usageFrom(given)).toBeUndefined();
  });
});
