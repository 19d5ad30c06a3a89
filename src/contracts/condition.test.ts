import { describe, expect, it } from 'vitest';
import { conditionFault } from './own/condition-fault.ts';
import { type Condition, firstBroken, holds, isEmpty } from './condition.ts';
import type { Fields } from './field.ts';

describe('holds', () => {
  it.each<[Condition, unknown, boolean]>([
    [{}, {}, true],
    [{ a: true }, { a: true }, true],
    [{ a: true }, { a: 'true' }, false],
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 'x' }, {}, false],
    [{ a: { empty: true } }, {}, true],
    [{ a: { empty: true } }, { a: null }, true],
    [{ a: { empty: true } }, { a: [] }, true],
    [{ a: { empty: true } }, { a: '' }, true],
    [{ a: { empty: true } }, { a: 0 }, false],
    [{ a: { empty: true } }, { a: false }, false],
    [{ a: { empty: false } }, { a: ['x'] }, true],
    [{ a: { empty: false } }, {}, false],
    [{ a: { not: 'x' } }, { a: 'y' }, true],
    [{ a: { not: 'x' } }, { a: 'x' }, false],
    [{ a: { not: 'x' } }, {}, true],
    [{ a: { above: 1 } }, { a: 2 }, true],
    [{ a: { above: 1 } }, { a: 1 }, false],
    [{ a: { above: 1 } }, { a: '2' }, false],
    [{ a: { every: { b: 1 } } }, { a: [{ b: 1 }, { b: 1 }] }, true],
    [{ a: { every: { b: 1 } } }, { a: [{ b: 1 }, {}] }, false],
    [{ a: { every: { b: 1 } } }, { a: [] }, true],
    [{ a: { every: { b: 1 } } }, {}, false],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
    [{ a: 1 }, undefined, false],
  ])('%j in %j: %s', (condition, values, expected) => {
    expect(holds(condition, values)).toBe(expected);
  });

  it('names the first field that breaks it', () => {
    expect(firstBroken({ a: 1, b: 2, c: 3 }, { a: 1, b: 0, c: 0 })).toBe('b');
    expect(firstBroken({ a: 1 }, { a: 1 })).toBeUndefined();
  });

  it('knows what is empty', () => {
    expect([undefined, null, '', [], 0, false, {}, 'x', [null]].map((value) => isEmpty(value))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('conditionFault', () => {
  const about = 'x';
  const fields: Fields = {
    flag: { type: 'flag', about },
    count: { type: 'number', about },
    risk: { type: 'choice', of: ['low', 'high'], about },
    how: { type: 'status', about },
    words: { type: 'text', about },
    phase: { type: 'progress', about },
    names: { type: 'list', of: { type: 'text' }, about },
    checks: {
      type: 'list',
      of: { type: 'record', fields: { status: { type: 'choice', of: ['pass'], about } } },
      about,
    },
  };

  it.each<Condition>([
    { flag: true, count: 1, risk: 'low', how: 'completed', words: 'x' },
    { flag: { not: false }, risk: { not: 'high' } },
    { count: { above: 3 } },
    { phase: { empty: true }, names: { empty: false } },
    { checks: { every: { status: 'pass' } } },
  ])('none in %j', (condition) => {
    expect(conditionFault(condition, fields)).toBeUndefined();
  });

  it.each<[Condition, string]>([
    [{ flog: true }, 'unknown field flog'],
    [{ ['constructor']: 'x' }, 'unknown field constructor'],
    [{ flag: 'no' }, 'flag: true or false, never no'],
    [{ flag: { not: 'no' } }, 'flag: true or false, never no'],
    [{ count: '1' }, 'count: a number, never 1'],
    [{ risk: 'medium' }, 'risk: one of low, high, never medium'],
    [{ how: 'done' }, 'how: one of completed, partial, failed, blocked, never done'],
    [{ words: 3 }, 'words: text, never 3'],
    [{ names: 'x' }, 'names: a list of texts, never x'],
    [{ phase: '1/2' }, 'phase: number/total, for example 2/3, never 1/2'],
    [{ words: { above: 3 } }, 'words: above only applies to numbers'],
    [{ names: { every: { a: 1 } } }, 'names: every only applies to lists of records'],
    [{ checks: { every: { state: 'pass' } } }, 'checks: unknown field state'],
    [{ checks: { every: { status: 'passed' } } }, 'checks: status: one of pass, never passed'],
  ])('of %j', (condition, fault) => {
    expect(conditionFault(condition, fields)).toBe(fault);
  });
});
