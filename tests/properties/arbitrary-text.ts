/**
 * Texts that look like structure: what the wire formats, YAML, JSON and markdown give a meaning to, alone and mixed with
 * ordinary words, every kind of blank and every kind of character.
 */
import * as fc from 'fast-check';
import { limits } from '../../src/contracts/field.ts';
import { normalPath, pathFault } from '../../src/base/paths.ts';
import { redact } from '../../src/base/redact.ts';

const words = [
  'a',
  'done',
  'the tests pass',
  'Größe',
  '数据',
  'é',
  '👩‍👩‍👧',
  '🎻',
  'x'.repeat(90),
  '0',
  '-1',
  '1e-7',
  '3 of 4',
];
const noneWords = ['none', 'None.', 'n/a', 'null', 'nil', '-', '~', '[]', 'nothing'];
const scalars = ['true', 'no', '12', '2/3', 'completed', '.5', '0x1F', '1_000', 'sess_1767225600_k3x9q1'];
// prettier-ignore
const marks = [
  '---OUTPUT---', '---END---', '---', '...', '```', '```json', '~~~', '# Summary', '## Issues', '- ', '* ', '+ ', '1. ', '> ',
  'status: ', 'summary:', 'Task done. Report: ', 'a|b|c', '|', '|-', '>', ': ', ':', ' #', '#', ',', ', ', '&a', '*a', '!!str ',
  '%YAML 1.2', '? ', '@', '{', '}', '[', ']', '(', ')', '{"status": "failed"}', '["a", "b"]', "['a']", '{{', '"', "'", "''", '`',
  '**', '\\', '\\\\', '\\"', '\\n', '\\u002d', '\\-', '<b>', '</b>', '&amp;', '//', '/*', '*/', '$1', '$&', '__proto__', '\u2028---\u2028', '\u2029```\u2029', '\u2028# Issues\u2028',
];
const blanks = [
  ' ',
  '  ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  '\v',
  '\f',
  '\u0085',
  '\u00A0',
  '\u2028',
  '\u2029',
  '\uFEFF',
  '\u200B',
];
const controls = [
  '\u0001',
  '\u0007',
  '\b',
  '\u001B[31m',
  '\u007F',
  '\u0080',
  '\u009F',
  '\uFFFD',
  '\uFFFE',
  '\uFFFF',
  '\u{10FFFF}',
];

export const piece = fc.constantFrom(...words, ...noneWords, ...scalars, ...marks, ...blanks, ...controls);

/** Any character: `fc.string` of the whole of Unicode takes half a second to get ready, for every file. */
export function anyCharacters(maxLength: number): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0, max: 0x10_ffff }),
  );
  return fc.array(codePoint, { minLength: 1, maxLength }).map((codes) => String.fromCodePoint(...codes));
}

const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')) },
  { weight: 2, arbitrary: piece },
  { weight: 1, arbitrary: anyCharacters(16) },
);

/** Long enough to meet the limits of a summary, a text, a block. */
const longText = fc.tuple(anyText, fc.integer({ min: 1, max: 300 })).map(([text, times]) => text.repeat(times));

/**
 * A text that a result can hold. Whatever the wire format, there is no NUL in one, nothing redaction would change, and
 * something to see.
 */
function holdable(text: string, maxLength: number): string {
  const safe = redact(text.replaceAll('\0', '0').slice(0, maxLength).toWellFormed()).text;
  return safe.trim() === '' || safe.length > maxLength ? 'x' : safe;
}

export function arbitraryText(maxLength: number = limits.text): fc.Arbitrary<string> {
  const text =
    maxLength < 200 ? anyText : fc.oneof({ weight: 100, arbitrary: anyText }, { weight: 1, arbitrary: longText });
  return text.map((given) => holdable(given, maxLength));
}

const segment = fc.oneof(
  fc.constantFrom(
    'src',
    'a.ts',
    'none',
    '-',
    '~',
    '[x]',
    "'q'",
    '"q"',
    '`c`',
    'a, b',
    'k: v',
    '#1',
    'x|y',
    '...',
    'ü🎻',
    'a\\b',
    '{',
    ',',
  ),
  fc.constantFrom(
    ' ',
    '\u00A0x',
    '\u2028',
    '\uFEFF',
    '\u0085',
    '---END---',
    '---',
    '%20',
    '&a',
    '*',
    '!t',
    '@',
    'true',
    'C:',
    '[]',
    '>',
  ),
  anyCharacters(6).map((text) => text.toWellFormed()),
);

/** In its normal form: how a path is spelled is not kept. */
export const arbitraryPath: fc.Arbitrary<string> = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => {
  const path = redact(segments.join('/').trim()).text;
  return pathFault(path) === undefined ? normalPath(path) : 'src/b.ts';
});
