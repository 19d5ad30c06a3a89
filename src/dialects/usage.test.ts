import { describe, expect, it } from 'vitest';
import { mostUsage, trueUsage, type TurnUsage, usageFrom, usageOf } from './usage.ts';

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

describe('trueUsage', () => {
  it.each<[TurnUsage, TurnUsage | undefined]>([
    [
      { tokens: 5, cost: 0.5, source: 'x', isPartial: true },
      { tokens: 5, cost: 0.5, source: 'x', isPartial: true },
    ],
    [{ tokens: 7 }, { tokens: 7 }],
    [
      { tokens: 0.5, cost: 1, source: 'x' },
      { cost: 1, source: 'x' },
    ],
    [
      { tokens: 1, cost: -1, isPartial: true },
      { tokens: 1, isPartial: true },
    ],
    [{ tokens: 1e300, source: 'x', isPartial: true }, undefined],
    [{ tokens: Number.NaN }, undefined],
    [{ source: 'x' }, undefined],
  ])('makes of %j %j', (usage, known) => {
    expect(trueUsage(usage)).toEqual(known);
  });
});

describe('usageOf', () => {
  it.each<[string, readonly (TurnUsage | undefined)[], TurnUsage | undefined]>([
    ['nothing said is nothing known', [undefined, undefined], undefined],
    ['no turn', [], undefined],
    ['a source without a number', [{ source: 'x' }], undefined],
    ['one turn as it is', [{ tokens: 5, cost: 0, source: 'x' }], { tokens: 5, cost: 0, source: 'x' }],
    [
      'the sum of turns from one source',
      [
        { tokens: 5, source: 'x' },
        { tokens: 7, source: 'x' },
      ],
      { tokens: 12, source: 'x' },
    ],
    [
      'sources side by side',
      [
        { cost: 1, source: 'x' },
        { cost: 2, source: 'y' },
      ],
      { cost: 3, source: 'x, y' },
    ],
    ['a silent turn leaves a part', [{ tokens: 5 }, undefined], { tokens: 5, isPartial: true }],
    [
      'so does one that lacks a number',
      [{ tokens: 5, cost: 1 }, { tokens: 7 }],
      { tokens: 12, cost: 1, isPartial: true },
    ],
    [
      'so does a number that cannot be true',
      [{ tokens: 5 }, { tokens: -7 }, { tokens: 1e300, source: 'x' }],
      { tokens: 5, isPartial: true },
    ],
    ['nothing but such numbers is nothing known', [{ tokens: 0.5 }, { cost: Number.NaN }], undefined],
    [
      'more than can be true is at least that much',
      [
        { tokens: mostUsage, cost: 1 },
        { tokens: mostUsage, cost: 1 },
      ],
      { tokens: mostUsage, cost: 2, isPartial: true },
    ],
    ['and one that is a part itself', [{ tokens: 5, isPartial: true }, { tokens: 7 }], { tokens: 12, isPartial: true }],
  ])('%s', (_, turns, usage) => {
    expect(usageOf(turns)).toEqual(usage);
  });
});
