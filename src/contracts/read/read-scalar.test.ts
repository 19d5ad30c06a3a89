import { describe, expect, it } from 'vitest';
import { limits } from '../field.ts';
import { Findings } from '../finding.ts';
import { expectation, readScalar, type ScalarType } from './read-scalar.ts';
import { Plain, type Raw, type WireFormat } from '../wire/raw.ts';

const plain = (text: string): Raw => new Plain(text);

interface Outcome {
  readonly value: unknown;
  readonly violations: readonly string[];
  readonly deviations: readonly string[];
}

function readIn(wireFormat: WireFormat, type: ScalarType, raw: Raw): Outcome {
  const findings = new Findings();
  const value = readScalar(type, raw, 'field', { wireFormat, findings });
  return {
    value,
    violations: findings.violations.map(({ code }) => code),
    deviations: findings.deviations.map(({ code }) => code),
  };
}

const accepted = (value: unknown, ...deviations: string[]): Outcome => ({ value, violations: [], deviations });
const refused = (...violations: string[]): Outcome => ({ value: undefined, violations, deviations: [] });

describe('a number', () => {
  const any: ScalarType = { type: 'number' };
  const score: ScalarType = { type: 'number', integer: true, min: 1, max: 10 };

  it.each<[string, number]>([
    ['23', 23],
    ['-1.5', -1.5],
    ['+4', 4],
    ['8.0', 8],
    ['1e3', 1000],
    ['007', 7],
  ])('%s', (text, value) => {
    expect(readIn('block', any, plain(text))).toEqual(accepted(value));
  });

  it.each<[string, number]>([
    ['23 lines', 23],
    ['8h', 8],
    ['12.5 ms', 12.5],
    ['95%', 95],
    ['~20', 20],
    ['≈ 20', 20],
    ['20+', 20],
    ['1,234', 1234],
    ['1,234,567.5 bytes', 1_234_567.5],
    ['8 (3 unit, 5 end-to-end)', 8],
    ['3 phases: one, two, three', 3],
    ['12, all green', 12],
    ['12 — 3 of them new', 12],
    ['4.', 4],
  ])('with a unit or a remark: %s', (text, value) => {
    expect(readIn('block', any, plain(text))).toEqual(accepted(value, 'number-with-unit'));
  });

  it.each([
    '',
    'many',
    'lots of 3',
    '3-4',
    '3–4',
    '1-5',
    '0x1F',
    '12k',
    '1.2M',
    '3 million',
    '1_000',
    '1 000',
    '1.234.567',
    '1,5',
    '3/5',
    '2 of 5',
    '2 or 3',
    '12:30',
    '2024-01-01',
    '1e999',
    '--3',
    '$8.50',
  ])('is not to be guessed: %j', (text) => {
    expect(readIn('block', any, plain(text))).toEqual(refused('wrong-type'));
  });

  it.each<[string, number]>([
    ['7/10', 7],
    ['7 / 10', 7],
    ['7 of 10', 7],
    ['7 out of 10', 7],
  ])('out of the most there is: %s', (text, value) => {
    expect(readIn('block', score, plain(text))).toEqual(accepted(value, 'number-with-unit'));
    expect(readIn('block', score, plain(text.replace('10', '8')))).toEqual(refused('wrong-type'));
  });

  it.each([0, 11, 2.5, -3, 1e21])('out of range: %d', (value) => {
    expect(readIn('json', score, value)).toEqual(refused('out-of-range'));
    expect(readIn('block', score, plain(String(value)))).toMatchObject({
      value: undefined,
      violations: [expect.any(String)],
    });
  });

  it.each<[Raw, Outcome]>([
    [3, accepted(3)],
    ['3', accepted(3, 'coerced')],
    ['3 items', accepted(3, 'number-with-unit')],
    [Number.POSITIVE_INFINITY, refused('wrong-type')],
    [true, refused('wrong-type')],
    [[3], refused('wrong-type')],
  ])('in JSON: %j', (raw, outcome) => {
    expect(readIn('json', any, raw)).toEqual(outcome);
  });
});

describe('a flag', () => {
  it.each<[string, boolean]>([
    ['true', true],
    ['yes', true],
    ['True', true],
    ['YES', true],
    ['false', false],
    ['no', false],
    ['No', false],
  ])('%s', (word, value) => {
    expect(readIn('block', { type: 'flag' }, plain(word))).toEqual(accepted(value));
    expect(readIn('json', { type: 'flag' }, word)).toEqual(accepted(value, 'coerced'));
    expect(readIn('json', { type: 'flag' }, value)).toEqual(accepted(value));
  });

  it.each<Raw>([plain('maybe'), plain('1'), plain('on'), plain('constructor'), 1, []])('not %j', (raw) => {
    expect(readIn('block', { type: 'flag' }, raw)).toEqual(refused('wrong-type'));
  });
});

describe('a choice', () => {
  const coverage: ScalarType = {
    type: 'choice',
    of: ['adequate', 'needs-improvement', 'MED'],
    aliases: { MEDIUM: 'MED', ok: 'adequate' },
  };

  it.each(['adequate', 'needs-improvement', 'MED'])('%s', (word) => {
    expect(readIn('block', coverage, plain(word))).toEqual(accepted(word));
  });

  it.each([
    ['Adequate', 'adequate'],
    ['needs improvement', 'needs-improvement'],
    ['NEEDS_IMPROVEMENT', 'needs-improvement'],
    ['med', 'MED'],
    ['medium', 'MED'],
    ['OK', 'adequate'],
  ])('%s for %s', (word, choice) => {
    expect(readIn('block', coverage, plain(word))).toEqual(accepted(choice, 'spelling'));
  });

  it.each(['good', 'adequate/insufficient', 'adequate, mostly', 'constructor', '__proto__', 'toString'])(
    'not %s',
    (word) => {
      expect(readIn('block', coverage, plain(word))).toEqual(refused('not-a-choice'));
    },
  );

  it('not a list', () => {
    expect(readIn('json', coverage, ['adequate'])).toEqual(refused('wrong-type'));
  });
});

describe('progress', () => {
  it.each(['2/3', '2 / 3', 'phase 2/3', 'Phase 2 of 3', '2 of 3'])('%s', (text) => {
    expect(readIn('block', { type: 'progress' }, plain(text))).toEqual(accepted({ current: 2, total: 3 }));
  });

  it.each([
    ['4/3', 'out-of-range'],
    ['0/0', 'out-of-range'],
    ['2', 'wrong-type'],
    ['2/3/4', 'wrong-type'],
    ['a/b', 'wrong-type'],
    ['-1/3', 'wrong-type'],
  ])('not %s', (text, code) => {
    expect(readIn('block', { type: 'progress' }, plain(text))).toEqual(refused(code));
  });
});

describe('a path', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['`src/a.ts`', 'src/a.ts'],
  ])('%s', (text, value) => {
    expect(readIn('block', { type: 'path' }, plain(text))).toEqual(accepted(value));
  });

  it.each(['/etc/passwd', '../a', 'a/../../b', 'C:\\a', '~/a', 'a\0b', 'a\uD800b', 'https://a.b/c', 'a\nb'])(
    'not %j',
    (text) => {
      expect(readIn('json', { type: 'path' }, text)).toEqual(refused('path-outside'));
    },
  );

  it('not a number', () => {
    expect(readIn('json', { type: 'path' }, 3)).toEqual(refused('wrong-type'));
    expect(readIn('json', { type: 'path' }, 'a'.repeat(1_001))).toEqual(refused('too-long'));
    expect(readIn('json', { type: 'path' }, 'a'.repeat(1_000))).toEqual(accepted('a'.repeat(1_000)));
  });
});

describe('an id', () => {
  it.each(['sess_1735460684_a1b2c3', 'sess_20251226_abc123'])('%s', (text) => {
    expect(readIn('json', { type: 'id' }, text)).toEqual(accepted(text));
  });

  it.each<Raw>(['sess_1_a1b2c3', 'sess_1735460684_A1B2C3', 'sess_1735460684_a1b2c3d', 'x', 3])('not %j', (raw) => {
    expect(readIn('json', { type: 'id' }, raw)).toEqual(refused('wrong-type'));
  });
});

describe('text', () => {
  const summary: ScalarType = { type: 'text', maxLength: 500, warnAbove: 400 };

  it.each<[number, string[], string[]]>([
    [1, [], []],
    [400, [], []],
    [401, [], ['summary-long']],
    [500, [], ['summary-long']],
    [501, ['too-long'], []],
  ])('of %i characters', (length, violations, deviations) => {
    const text = 'x'.repeat(length);
    const value = violations.length > 0 ? undefined : text;
    expect(readIn('json', summary, text)).toEqual({ value, violations, deviations });
  });

  it.each(['', ' ', '\n\t'])('not %j', (text) => {
    expect(readIn('json', summary, text)).toEqual(refused('empty'));
  });

  it('has a limit even where none is given', () => {
    expect(readIn('json', { type: 'text' }, 'x'.repeat(limits.text))).toEqual(accepted('x'.repeat(limits.text)));
    expect(readIn('json', { type: 'text' }, 'x'.repeat(limits.text + 1))).toEqual(refused('too-long'));
  });

  it.each(['yes', 'no', 'true', '1.10', '0x1F', '2024-01-01', 'null and void'])(
    'stays what was written: %s',
    (text) => {
      expect(readIn('report', { type: 'text' }, plain(text))).toEqual(accepted(text));
    },
  );

  it.each<[Raw, string]>([
    [3, '3'],
    [true, 'true'],
    [['a', 'b'], 'a; b'],
    [[plain('a'), plain('b')], 'a; b'],
    [new Map([['no limit', plain('login can be tried for ever')]]), 'no limit: login can be tried for ever'],
  ])('may be written as something else: %j', (raw, text) => {
    expect(readIn('json', { type: 'text' }, raw)).toEqual(accepted(text, 'coerced'));
  });

  it.each<Raw>([
    new Map([['a', 'b']]),
    new Map([
      ['a', plain('b')],
      ['c', plain('d')],
    ]),
    [['a']],
    [3],
    null,
  ])('is not guessed from %j', (raw) => {
    expect(readIn('json', { type: 'text' }, raw)).toEqual(refused('wrong-type'));
  });

  it.each([
    ['a\0b', 'a\uFFFDb'],
    ['a\uD800b', 'a\uFFFDb'],
    ['\uDC00', '\uFFFD'],
  ])('without NUL and half characters: %j', (text, value) => {
    expect(readIn('json', { type: 'text' }, text)).toEqual(accepted(value, 'characters-replaced'));
  });
});

describe('what is expected', () => {
  it.each<[ScalarType | { type: 'list'; of: ScalarType }, string]>([
    [{ type: 'number', max: 3 }, 'a number, at most 3'],
    [{ type: 'number', min: 1, integer: true }, 'a whole number, at least 1'],
    [{ type: 'number', min: 1, max: 3 }, 'a number from 1 to 3'],
    [{ type: 'choice', of: ['a', 'b'] }, 'one of a, b'],
    [{ type: 'list', of: { type: 'choice', of: ['a', 'b'] } }, 'a list, each item one of a, b'],
    [{ type: 'list', of: { type: 'path' } }, 'a list of paths'],
    [{ type: 'list', of: { type: 'status' } }, 'a list of statuses'],
  ])('of %j', (type, words) => {
    expect(expectation(type)).toBe(words);
  });
});
