import { describe, expect, it } from 'vitest';
import { flatten } from './text.ts';

describe('flatten', () => {
  it.each([
    ['a plain line', 'as it is', 'as it is'],
    ['nothing', '', ''],
    ['blanks alone', ' \t\n ', ''],
    ['line ends of every kind', 'a\nb\r\nc\rd\u2028e\u2029f\u0085g\vh\fi', 'a b c d e f g h i'],
    ['runs of blanks', '  a \t\u00A0\uFEFF b  ', 'a b'],
    ['a terminal sequence', '\u001B[31mred\u001B[0m', '[31mred [0m'],
    ['a sequence that begins with one character', 'a\u009B31mb', 'a 31mb'],
    ['a bell, a backspace, a NUL', 'a\u0007b\bc\0d', 'a b c d'],
    ['delete', 'a\u007Fb', 'a b'],
    ['half of a pair, first', 'a\uD83Cb', 'a\uFFFDb'],
    ['half of a pair, second', 'a\uDFBBb', 'a\uFFFDb'],
    ['code points XML forbids', 'a\uFFFEb\uFFFFc', 'a b c'],
    ['characters beyond the first plane', 'a🎻b', 'a🎻b'],
    ['joiners and accents', '👩‍👩‍👧 é ü', '👩‍👩‍👧 é ü'],
  ])('%s', (_what, text, flat) => {
    expect(flatten(text)).toBe(flat);
    expect(flatten(flat)).toBe(flat);
  });

  /** Unicode gives these, and no others, the property Bidi_Control. */
  it.each([0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069])(
    'a mark of direction: U+%s',
    (code) => {
      expect(flatten(`a${String.fromCodePoint(code)}b`)).toBe('a b');
    },
  );

  it('leaves no control character of any kind', () => {
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code)).join('');
    expect(flatten(`${controls}\u2028\u2029`)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  });
});
