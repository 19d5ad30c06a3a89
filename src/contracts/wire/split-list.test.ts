import { describe, expect, it } from 'vitest';
import { Plain, type Raw } from './raw.ts';
import { inlineValue, splitList } from './split-list.ts';

/** Quoted text is a string, everything else waits for its field's type. */
const plain = (text: string): Raw => new Plain(text);

describe('splitList', () => {
  it.each<[string, Raw[]]>([
    ['', []],
    ['  ', []],
    ['a', [plain('a')]],
    ['a, b,c', [plain('a'), plain('b'), plain('c')]],
    ['a, , b,', [plain('a'), plain('b')]],
    ['"a, b", c', ['a, b', plain('c')]],
    ["'a, b', c", ['a, b', plain('c')]],
    ["'it''s, well', c", ["it's, well", plain('c')]],
    ['"a \\"b, c\\" d", e', ['a "b, c" d', plain('e')]],
    ['"a\\\\", b', ['a\\', plain('b')]],
    ['f(x, y), [d, e], {k: 1, l: 2}', [plain('f(x, y)'), plain('[d, e]'), plain('{k: 1, l: 2}')]],
    ['[a, [b, c]], d', [plain('[a, [b, c]]'), plain('d')]],
    ['say "x, y" now, z', [plain('say "x, y" now'), plain('z')]],
    ["don't, can't", [plain("don't"), plain("can't")]],
    ['src/a.ts:45 - drops it: twice, b', [plain('src/a.ts:45 - drops it: twice'), plain('b')]],
    ['a [b, c', [plain('a [b'), plain('c')]],
    ['a ], b', [plain('a ]'), plain('b')]],
    ['a: 5" disk, b', [plain('a: 5" disk'), plain('b')]],
    ["'open, b", [plain("'open"), plain('b')]],
    ['none, "none"', [plain('none'), 'none']],
  ])('splits %j', (text, items) => {
    expect(splitList(text)).toStrictEqual(items);
  });

  it('ends in good time on a million quotes and brackets', () => {
    expect(splitList('"a, '.repeat(250_000))).toHaveLength(125_000);
    expect(splitList("'a, ".repeat(250_000)).length).toBeGreaterThan(0);
    expect(splitList('[a, '.repeat(250_000))).toHaveLength(250_000);
  });
});

describe('inlineValue', () => {
  it.each<[string, Raw]>([
    ['  a  ', plain('a')],
    ['"a: b"', 'a: b'],
    ['"\\u0041\\n"', 'A\n'],
    ["'a'", 'a'],
    ["''", ''],
    ['"a" and "b"', plain('"a" and "b"')],
    ["'a' and 'b'", plain("'a' and 'b'")],
    ['"a', plain('"a')],
    ['"', plain('"')],
    ['[a]', plain('[a]')],
  ])('reads %j', (text, value) => {
    expect(inlineValue(text)).toStrictEqual(value);
  });
});
