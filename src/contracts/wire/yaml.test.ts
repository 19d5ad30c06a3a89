import { describe, expect, it } from 'vitest';
import { Plain, type Raw } from './raw.ts';
import { readYaml } from './yaml.ts';

const plain = (text: string): Raw => new Plain(text);
const map = (...entries: [string, Raw][]): Raw => new Map(entries);

function valueOf(text: string): Raw {
  const yaml = readYaml(text);
  if (!yaml.ok) throw new Error(yaml.reason);
  return yaml.value;
}

describe('readYaml', () => {
  it.each<[what: string, text: string, value: Raw]>([
    ['nothing', '', null],
    ['a mapping', 'a: b\nc: d', map(['a', plain('b')], ['c', plain('d')])],
    ['no value', 'a:', map(['a', plain('')])],
    ['quotes', 'a: "b"\nc: \'d\'', map(['a', 'b'], ['c', 'd'])],
    ['lists', 'a:\n  - b\n  - "c"\nd: [e, "f, g"]', map(['a', [plain('b'), 'c']], ['d', [plain('e'), 'f, g']])],
    ['records in lists', 'a:\n  - b: c\n    d: e', map(['a', [map(['b', plain('c')], ['d', plain('e')])]])],
    ['a literal block', 'a: |\n  b\n  c\n\nd: e', map(['a', 'b\nc'], ['d', plain('e')])],
    ['a folded block', 'a: >\n  b\n  c\n', map(['a', 'b c'])],
    ['a value over lines', 'a: b\n  c', map(['a', plain('b c')])],
    ['a comment', 'a: b # c', map(['a', plain('b')])],
    [
      'keys every object inherits',
      '__proto__: a\nconstructor: b',
      map(['__proto__', plain('a')], ['constructor', plain('b')]),
    ],
  ])('reads %s', (_what, text, value) => {
    expect(valueOf(text)).toStrictEqual(value);
  });

  it.each([
    'yes',
    'no',
    'on',
    'off',
    'true',
    'null',
    '~',
    '1.10',
    '0x1F',
    '0o17',
    '1e3',
    '1_000',
    '012',
    '.inf',
    '2024-01-01',
    '12:30:45',
    '=',
    '<<',
  ])('leaves %s as it is written', (word) => {
    expect(valueOf(`a: ${word}`)).toStrictEqual(map(['a', plain(word)]));
  });

  it.each([
    ['an alias', 'a: b\nc: *a', 'aliases are not allowed', 2],
    ['an anchor', 'a: &x b', 'anchors are not allowed', 1],
    ['an anchor on a list', 'a:\n  - &x [b]', 'anchors are not allowed', 2],
    ['a merge of an alias', 'a: b\n<<: *a', 'aliases are not allowed', 2],
    ['a tag', 'a: !!str b', 'tags are not allowed', 1],
    ['a tag of its own', 'a: b\nc: !js/function x', 'tags are not allowed', 2],
    ['a tag on a mapping', 'a: !!map {b: c}', 'tags are not allowed', 1],
    ['a directive', '%YAML 1.2\n---\na: b', 'directives are not allowed', 1],
    ['a second document', 'a: b\n---\nc: d', 'only one document is allowed', 1],
  ])('refuses %s', (_what, text, reason, line) => {
    expect(readYaml(text)).toEqual({ ok: false, refused: true, line, reason });
  });

  it.each([
    ['a bracket that stays open', 'a: [b\nc: d'],
    ['a tab for indentation', 'a:\n\tb: c'],
    ['text behind quotes', 'a: b\nc: "d" e'],
    ['a key that is a list', '? [a]\n: b'],
    ['nesting without end', '['.repeat(1_000)],
  ])('cannot read %s, and says where', (_what, text) => {
    expect(readYaml(text)).toMatchObject({
      ok: false,
      refused: false,
      line: expect.any(Number) as unknown,
      reason: expect.stringMatching(/./) as unknown,
    });
  });

  it('takes the last of keys given twice, and names them', () => {
    const yaml = readYaml('a: 1\nb:\n  c: 1\n  c: 2\na: 3');
    expect(yaml).toMatchObject({ ok: true, duplicates: ['b.c', 'a'] });
    expect(yaml.ok && yaml.value).toStrictEqual(map(['a', plain('3')], ['b', map(['c', plain('2')])]));
  });

  it('remembers the line of each value', () => {
    const yaml = readYaml('# first\na: b\nc:\n  - d\n  - e: f\n    g: |\n      h\n');
    expect(yaml.ok && [...yaml.lines()]).toEqual([
      ['', 2],
      ['a', 2],
      ['c', 3],
      ['c[0]', 4],
      ['c[1]', 5],
      ['c[1].e', 5],
      ['c[1].g', 6],
    ]);
  });
});
