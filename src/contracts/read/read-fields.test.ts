import { describe, expect, it } from 'vitest';
import { type Field, type Fields, limits } from '../field.ts';
import { Findings } from '../finding.ts';
import { readFields } from './read-fields.ts';
import { Plain, type Raw, type RawMap, rawOf, type WireFormat } from '../wire/raw.ts';

const plain = (text: string): Raw => new Plain(text);

interface Outcome {
  readonly values: unknown;
  readonly violations: readonly string[];
  readonly deviations: readonly string[];
}

function readIn(wireFormat: WireFormat, fields: Fields, map: RawMap): Outcome {
  const findings = new Findings();
  const values = readFields(fields, map, '', { wireFormat, findings }, new Map());
  return {
    values,
    violations: findings.violations.map(({ code, path }) => `${code} ${path}`),
    deviations: findings.deviations.map(({ code, path }) => `${code} ${path}`),
  };
}

const one = (field: Field, raw: Raw, wireFormat: WireFormat = 'block'): Outcome =>
  readIn(wireFormat, { x: field }, new Map([['x', raw]]));
const got = (x: unknown, ...deviations: string[]): Outcome => ({
  values: x === undefined ? {} : { x },
  violations: [],
  deviations,
});

const about = 'x';
const text = { type: 'text', about } as const;
const list = { type: 'list', of: { type: 'text' }, about } as const;
const paths = { type: 'list', of: { type: 'path' }, about } as const;
const severity = { type: 'choice', of: ['none', 'low'], about } as const;

const noneWords = ['none', 'None', 'NONE', 'none.', 'n/a', 'N/A', 'na', 'nil', 'null', '-', '~', '[]', 'nothing'];

describe('none', () => {
  it.each(noneWords)('%s is none where that is offered, in quotes or not', (word) => {
    for (const raw of [plain(word), word]) {
      expect(one({ ...text, presence: 'or-none' }, raw)).toEqual(got(null));
      expect(one({ ...list, presence: 'or-none' }, raw)).toEqual(got([]));
      expect(one({ ...text, presence: 'or-none' }, raw, 'json')).toEqual(got(null));
      expect(one({ ...text, presence: 'optional' }, raw)).toEqual(got(undefined));
    }
  });

  it.each(['none of them', 'no', 'nothing much', '--', 'nullable'])('%s is not', (word) => {
    expect(one({ ...text, presence: 'or-none' }, plain(word))).toEqual(got(word));
  });

  it('null is none', () => {
    expect(one({ ...text, presence: 'or-none' }, null, 'json')).toEqual(got(null));
    expect(one({ ...list, presence: 'or-none' }, null, 'json')).toEqual(got([]));
    expect(one({ ...list, presence: 'optional' }, null, 'json')).toEqual(got(undefined));
  });

  it('nothing at all is none, and recorded', () => {
    for (const raw of [plain(''), '', ' ', []]) {
      expect(one({ ...text, presence: 'or-none' }, raw)).toEqual(got(null, 'coerced x'));
      expect(one({ ...text, presence: 'optional' }, raw)).toEqual(got(undefined));
    }
    expect(one({ ...list, presence: 'or-none' }, plain(''))).toEqual(got([], 'coerced x'));
    expect(one({ ...list, presence: 'or-none' }, [])).toEqual(got([]));
  });

  it('brackets around it change nothing', () => {
    expect(one({ ...text, presence: 'or-none' }, plain('[none]'))).toEqual(got(null, 'coerced x'));
    expect(one({ ...text, presence: 'or-none' }, plain('["none"]'))).toEqual(got(null, 'coerced x'));
    expect(one({ ...list, presence: 'or-none' }, plain('[none]'))).toEqual(got([]));
  });

  it('is a word like any other where a text must be', () => {
    expect(one(text, plain('none'))).toEqual(got('none'));
    expect(one(text, 'n/a', 'json')).toEqual(got('n/a'));
    expect(one({ type: 'path', about }, 'none')).toEqual(got('none'));
  });

  it('is accepted for a list that must be, and recorded', () => {
    expect(one(list, plain('none'))).toEqual(got([], 'none-not-offered x'));
    expect(one(list, 'none', 'json')).toEqual(got([], 'none-not-offered x'));
    expect(one(list, plain('[]'))).toEqual(got([]));
  });

  it('is not an empty list where a number must be', () => {
    expect(one({ type: 'number', about }, [], 'json')).toEqual({
      values: {},
      violations: ['wrong-type x'],
      deviations: [],
    });
  });

  it.each<[Field, Raw]>([
    [text, plain('')],
    [text, null],
    [list, plain('')],
    [list, null],
    [{ type: 'path', about }, plain('none')],
    [{ type: 'flag', about }, plain('n/a')],
    [{ type: 'number', about }, null],
    [{ type: 'record', fields: { y: text }, about }, null],
  ])('is not accepted for %j: %j', (field, raw) => {
    expect(one(field, raw)).toEqual({ values: {}, violations: ['empty x'], deviations: [] });
  });

  it('may be one of the choices', () => {
    expect(one(severity, plain('none'))).toEqual(got('none'));
    expect(one(severity, plain('None'))).toEqual(got('none', 'spelling x'));
    expect(one(severity, 'none', 'json')).toEqual(got('none'));
    expect(one({ ...severity, presence: 'or-none' }, plain('none'))).toEqual(got('none'));
    expect(one({ ...severity, presence: 'or-none' }, null)).toEqual(got(null));
  });
});

describe('lists', () => {
  it.each<[string, unknown[], ...string[]]>([
    ['[a, b]', ['a', 'b']],
    ['["a, b", c]', ['a, b', 'c']],
    ['[f(x, y), [d, e]]', ['f(x, y)', '[d, e]']],
    ['[a: b, c]', ['a: b', 'c']],
    ['[none]', []],
    ['[a, n/a]', ['a']],
    ['["none"]', ['none']],
    ['one thing, or two', ['one thing, or two'], 'list-unbracketed x'],
    ['[a, b] and more', ['[a, b] and more'], 'list-unbracketed x'],
  ])('%s', (written, items, ...deviations) => {
    expect(one(list, plain(written))).toEqual(got(items, ...deviations));
  });

  it('of paths need no brackets', () => {
    expect(one(paths, plain('a.ts, `b.ts`'))).toEqual(got(['a.ts', 'b.ts'], 'list-unbracketed x'));
    expect(one(paths, 'a.ts, b.ts', 'json')).toEqual(got(['a.ts', 'b.ts'], 'list-unbracketed x'));
    expect(one({ type: 'list', of: { type: 'number' }, about }, plain('1, 2'))).toEqual(
      got([1, 2], 'list-unbracketed x'),
    );
  });

  it('say which item is wrong, and keep the others', () => {
    expect(one(paths, ['a.ts', '/etc/passwd', 'b.ts', 3], 'json')).toEqual({
      values: { x: ['a.ts', 'b.ts'] },
      violations: ['path-outside x[1]', 'wrong-type x[3]'],
      deviations: [],
    });
  });

  it.each<Raw>([3, true, new Map([['a', 'b']])])('are not %j', (raw) => {
    expect(one(list, raw, 'json')).toEqual({ values: {}, violations: ['wrong-type x'], deviations: [] });
  });

  it('hold so many items and no more', () => {
    const items = Array.from({ length: limits.items }, (_, at) => `item ${at}`);
    expect(one(list, items, 'json')).toEqual(got(items));
    expect(one(list, [...items, 'one too many'], 'json')).toEqual({
      values: { x: items },
      violations: ['too-many x'],
      deviations: [],
    });
  });
});

describe('single values in brackets', () => {
  it.each<[Field, string, unknown]>([
    [severity, '[low]', 'low'],
    [{ type: 'number', about }, '[3]', 3],
    [{ type: 'flag', about }, '[true]', true],
    [text, '[a, b]', 'a, b'],
    [text, '["a"]', 'a'],
  ])('%j from %s', (field, written, value) => {
    expect(one(field, plain(written))).toEqual(got(value, 'coerced x'));
  });

  it.each(['[a] then [b]', '[[a]]', '[a', 'a]'])('%s is text', (written) => {
    expect(one(text, plain(written))).toEqual(got(written));
  });
});

describe('records', () => {
  const record: Field = {
    type: 'record',
    about,
    fields: { path: { type: 'path', about }, note: { ...text, presence: 'optional' } },
  };

  it.each<[string, Raw]>([
    ['JSON', rawOf({ path: 'a', note: 'b' })],
    ['JSON in a line', plain('{"path": "a", "note": "b"}')],
    ['JSON that needs repair', plain("{path: 'a', 'note': 'b',}")],
    ['YAML in a line', plain('{path: a, note: b}')],
  ])('from %s', (_what, raw) => {
    expect(one(record, raw)).toEqual(got({ path: 'a', note: 'b' }));
    expect(one({ type: 'list', of: record, about }, [raw])).toEqual(got([{ path: 'a', note: 'b' }]));
  });

  it('in a list in a line', () => {
    expect(one({ type: 'list', of: record, about }, plain('[{path: a}, {path: b, note: c}]'))).toEqual(
      got([{ path: 'a' }, { path: 'b', note: 'c' }]),
    );
  });

  it.each<Raw>([plain('a'), ['a'], 3])('are not %j', (raw) => {
    expect(one(record, raw)).toEqual({ values: {}, violations: ['wrong-type x'], deviations: [] });
  });

  it('name what is wrong by its path', () => {
    expect(one(record, rawOf({ path: '../a', more: 1 }), 'json')).toEqual({
      values: { x: {} },
      violations: ['path-outside x.path'],
      deviations: ['unknown-field x.more'],
    });
  });
});

describe('keys', () => {
  const fields: Fields = { phase_complete: { type: 'flag', about } };

  it.each(['phaseComplete', 'Phase Complete', 'phase-complete', 'PHASE_COMPLETE'])('%s is phase_complete', (key) => {
    expect(readIn('json', fields, new Map([[key, true]]))).toEqual({
      values: { phase_complete: true },
      violations: [],
      deviations: ['key-spelling phase_complete'],
    });
  });

  it('the exact spelling comes first', () => {
    expect(
      readIn(
        'json',
        fields,
        new Map([
          ['phaseComplete', false],
          ['phase_complete', true],
        ]),
      ),
    ).toEqual({
      values: { phase_complete: true },
      violations: [],
      deviations: ['unknown-field phaseComplete'],
    });
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is no field', (key) => {
    const outcome = readIn(
      'json',
      fields,
      new Map<string, Raw>([
        ['phase_complete', true],
        [key, rawOf({ polluted: true })],
      ]),
    );
    expect(outcome).toEqual({ values: { phase_complete: true }, violations: [], deviations: [`unknown-field ${key}`] });
    expect(Object.getPrototypeOf(outcome.values)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('missing ones are named', () => {
    expect(
      readIn('json', { a: text, b: { ...text, presence: 'or-none' }, c: { ...text, presence: 'optional' } }, new Map()),
    ).toEqual({
      values: {},
      violations: ['missing a', 'missing b'],
      deviations: [],
    });
  });

  it('beside the record they belong into are found', () => {
    const nested: Fields = { metadata: { type: 'record', about, fields: { session_id: { type: 'text', about } } } };
    const map = new Map<string, Raw>([
      ['metadata', new Map()],
      ['session_id', 's'],
    ]);
    expect(readIn('json', nested, map)).toMatchObject({ values: { metadata: { session_id: 's' } }, violations: [] });
    expect(readIn('json', nested, map).deviations).toEqual(['misplaced-field metadata.session_id']);
  });

  it('beside it that are fields of their own are not mistaken for it', () => {
    const nested: Fields = {
      summary: text,
      item: { type: 'record', about, fields: { summary: { ...text, presence: 'optional' } } },
    };
    const map = new Map<string, Raw>([
      ['summary', 's'],
      ['item', new Map()],
    ]);
    expect(readIn('json', nested, map)).toEqual({ values: { summary: 's', item: {} }, violations: [], deviations: [] });
  });
});
