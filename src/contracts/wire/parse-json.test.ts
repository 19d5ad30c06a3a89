import { describe, expect, it } from 'vitest';
import type { Json, JsonRepair } from './lenient-json.ts';
import { parseJson } from './parse-json.ts';

type Reads = readonly [text: string, value: Json, ...repairs: JsonRepair[]];
type Fails = readonly [text: string, at: number, expected: string];

const strict: readonly Reads[] = [
  ['{}', {}],
  [' [ ] \n', []],
  ['"a"', 'a'],
  ['-0', -0],
  ['1.5e3', 1500],
  ['null', null],
  ['{"a":{"b":[1,true,null,"x:y"]}}', { a: { b: [1, true, null, 'x:y'] } }],
  ['{"a\\"":"{\\\\"}', { 'a"': '{\\' }],
];

const repaired: readonly Reads[] = [
  ['{"a":1 // note\n}', { a: 1 }, 'comment'],
  ['/* } */ {"a":/**/1}', { a: 1 }, 'comment'],
  ['{"a":1} // end', { a: 1 }, 'comment'],
  ['{"a":"//","b":"/*",}', { a: '//', b: '/*' }, 'trailing-comma'],
  ['[1, [2,],]', [1, [2]], 'trailing-comma'],
  ['{"a":{"b":1,},}', { a: { b: 1 } }, 'trailing-comma'],
  ['{"a":1\n"b":2}', { a: 1, b: 2 }, 'missing-comma'],
  ['{"a":1"b":2}', { a: 1, b: 2 }, 'missing-comma'],
  ['{"a":"x""b":2}', { a: 'x', b: 2 }, 'missing-comma'],
  ['[1 -2 "a" {}[]"b"\n"c"]', [1, -2, 'a', {}, [], 'b', 'c'], 'missing-comma'],
  ["{'a':'b \"c\"'}", { a: 'b "c"' }, 'single-quotes'],
  ["['it\\'s']", ["it's"], 'single-quotes'],
  ['{a:1,$b_2-c:2,größe:3,4:5}', { a: 1, '$b_2-c': 2, größe: 3, 4: 5 }, 'unquoted-key'],
  ['{true:1,null:2}', { true: 1, null: 2 }, 'unquoted-key'],
  ['{"a":"one\ntwo\tthree"}', { a: 'one\ntwo\tthree' }, 'raw-newline-in-string'],
  ['{"a":"\\d+ C:\\x \\u12 \\\'"}', { a: "\\d+ C:\\x \\u12 '" }, 'bad-escape'],
  ['{"a":"one\\\ntwo"}', { a: 'one\\\ntwo' }, 'bad-escape', 'raw-newline-in-string'],
  ['{"a":"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t",}', { a: 'é😀/\b\f\n\r\t' }, 'trailing-comma'],
  ['[True,False,None]', [true, false, null], 'python-literal'],
  ["{a:'b',// c\n}", { a: 'b' }, 'unquoted-key', 'single-quotes', 'comment', 'trailing-comma'],
  ['[-0,-1.5e-3,0.25,]', [-0, -0.0015, 0.25], 'trailing-comma'],
];

const cutOff: readonly Reads[] = [
  ['{', {}, 'unterminated'],
  ['{"a":1', { a: 1 }, 'unterminated'],
  ['{"a":1,', { a: 1 }, 'unterminated'],
  ['{"a":1,"b', { a: 1 }, 'unterminated'],
  ['{"a":1,"b"', { a: 1 }, 'unterminated'],
  ['{"a":1,"b": ', { a: 1 }, 'unterminated'],
  ['{"a":1,"b":"x y', { a: 1, b: 'x y' }, 'unterminated'],
  ['{"a":"x\\', { a: 'x' }, 'unterminated'],
  ['{"a":"x\\u00e', { a: 'x' }, 'unterminated'],
  ['{"a":"x\n', { a: 'x' }, 'unterminated'],
  ['{"a":[1,{"b":2', { a: [1, { b: 2 }] }, 'unterminated'],
  ['{"a":tr', { a: true }, 'unterminated'],
  ['{"a":n\n', { a: null }, 'unterminated'],
  ['{"a":Fal', { a: false }, 'python-literal', 'unterminated'],
  ['{"a":12.', { a: 12 }, 'unterminated'],
  ['{"a":1e-', { a: 1 }, 'unterminated'],
  ['{"a":1,"b":-', { a: 1 }, 'unterminated'],
  ['{"a":1,/', { a: 1 }, 'unterminated', 'comment'],
  ['{"a":1} /* b', { a: 1 }, 'unterminated', 'comment'],
  ['"abc', 'abc', 'unterminated'],
];

const refused: readonly Fails[] = [
  ['', 0, 'a value'],
  [' // nothing', 11, 'a value'],
  ['}', 0, 'a value'],
  ['tru', 0, 'a value'],
  ['{"a":}', 5, 'a value'],
  ['{"a":undefined}', 5, 'a value'],
  ['{"a":NaN}', 5, 'a value'],
  ['{"a":+1}', 5, 'a value'],
  ['[01]', 1, 'a value'],
  ['[1.2.3]', 1, 'a value'],
  ['[1,,2]', 3, 'a value'],
  ['[,]', 1, 'a value'],
  ['{,}', 1, "a key or '}'"],
  ['{"a":1,,}', 7, "a key or '}'"],
  ['{“a”:1}', 1, "a key or '}'"],
  ['{"a" 1}', 5, "':'"],
  ['{"a":"say "hi" now"}', 11, "',' or '}'"],
  ['["say "hi" now"]', 7, "',' or ']'"],
  ['["say "1" now"]', 7, "',' or ']'"],
  ["{'a':'it's: 5'}", 9, "',' or '}'"],
  ['{"a":[1}', 7, "',' or ']'"],
  ['[{"a":1]', 7, "',' or '}'"],
  ['{"a":1 = 2}', 7, "',' or '}'"],
  ['{"a":1}{"b":2}', 7, 'nothing after the value'],
  ['{"a":1} done', 8, 'nothing after the value'],
  ['{"a":1 / 2}', 7, "',' or '}'"],
];

describe.each([
  ['reads strictly', strict],
  ['repairs', repaired],
  ['keeps what there is of', cutOff],
])('parseJson %s', (_, rows) => {
  it.each(rows.map(([text, value, ...repairs]) => ({ text, value, repairs })))('$text', ({ text, value, repairs }) => {
    expect(parseJson(text)).toStrictEqual({ ok: true, value, repairs, duplicateKeys: [] });
  });
});

describe('parseJson refuses', () => {
  it.each(refused)('%j', (text, at, expected) => {
    expect(parseJson(text)).toEqual({ ok: false, at, expected });
  });
});

describe('parseJson: keys given twice', () => {
  it.each([
    ['{"a":1,"a":2}', { a: 2 }, ['a']],
    ['{"a":{"b":1,"b":2},"c":[{"d":1,"\\u0064":2}]}', { a: { b: 2 }, c: [{ d: 2 }] }, ['b', 'd']],
    ['{"a":1,"b":{"a":1}}', { a: 1, b: { a: 1 } }, []],
    ['{"a":"x:y","b:c":1}', { a: 'x:y', 'b:c': 1 }, []],
    ["{a:1,'a':[2]}", { a: [2] }, ['a']],
    ['{"a":1,"a":', { a: 1 }, []],
  ])('names those of %j', (text, value, duplicateKeys) => {
    expect(parseJson(text)).toMatchObject({ ok: true, value, duplicateKeys });
  });
});

describe('parseJson: keys that every object inherits', () => {
  it.each(['{"KEY":{"polluted":1},"KEY":{"polluted":2}}', '{"KEY":{"polluted":2},}', "{KEY:{'polluted':2}}"])(
    'are own properties in %j',
    (template) => {
      for (const key of ['__proto__', 'constructor', 'prototype', 'toString']) {
        const parsed = parseJson(template.replaceAll('KEY', key));
        const value = parsed.ok ? (parsed.value as Record<string, Json>) : {};
        expect(Object.entries(value)).toEqual([[key, { polluted: 2 }]]);
        expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
        expect(Object.getOwnPropertyDescriptor(value, key)).toMatchObject({ writable: true, configurable: true });
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      }
    },
  );
});

describe('parseJson: keys with escapes', () => {
  // After the first, JSON.parse of Node 24 gives the second the first one's key (nodejs/node#63785).
  it.each([
    ['{"a":1,"\\\\":2}', '{"a":1,"\\"":2}', '"'],
    ['{"b":1,"\\\\":2}', '{"b":1,"\\t" :2}', '\t'],
    ['{"c":1,"\\\\u":2}', '{"c":1,"\\u0041b":2}', 'Ab'],
    ['{"d":1,"\\\\\\\\x":2}', '{"d":1,"\\\\x1":2}', '\\x1'],
  ])('reads %j and then %j', (first, second, key) => {
    JSON.parse(first);
    const parsed = parseJson(second);
    expect(parsed).toMatchObject({ ok: true, repairs: [], duplicateKeys: [] });
    expect(parsed.ok && Object.keys(parsed.value as object)[1]).toBe(key);
  });
});

describe('parseJson: nesting', () => {
  const nested = (depth: number, end = ']'): string => '['.repeat(depth) + end.repeat(depth);

  it('accepts 200 levels', () => {
    expect(parseJson(nested(200))).toMatchObject({ ok: true, repairs: [] });
    expect(parseJson(nested(200, ',]').replace(',', ''))).toMatchObject({ ok: true, repairs: ['trailing-comma'] });
  });

  it.each([nested(201), nested(201, ''), nested(100_000), '['.repeat(8 * 1024 * 1024)])('refuses more', (text) => {
    expect(parseJson(text)).toEqual({ ok: false, at: 200, expected: 'at most 200 levels' });
  });

  it('does not count brackets in strings', () => {
    expect(parseJson(JSON.stringify({ a: nested(300) }))).toMatchObject({ ok: true, repairs: [] });
    expect(parseJson(`{'a':'${nested(300)}'}`)).toMatchObject({ ok: true, repairs: ['single-quotes'] });
  });
});
