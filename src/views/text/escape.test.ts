import { describe, expect, it } from 'vitest';
import { escapeXml, fit, terminalJson } from './escape.ts';

describe('escapeXml', () => {
  it.each([
    ['nothing to escape', 'a b', 'a b'],
    ['each of the five', `&<>"'`, '&amp;&lt;&gt;&quot;&apos;'],
    ['an end tag', '</subagent-result>', '&lt;/subagent-result&gt;'],
    ['the end of CDATA', ']]>', ']]&gt;'],
    ['what is escaped already', '&lt;', '&amp;lt;'],
    ['characters beyond the first plane', '🎻', '🎻'],
  ])('%s', (_what, text, escaped) => {
    expect(escapeXml(text)).toBe(escaped);
  });
});

describe('fit', () => {
  it.each([
    ['what fits stays whole', 'abc', 3, 'abc'],
    ['what does not ends in a mark', 'abcd', 3, 'ab…'],
    ['room for the mark alone', 'abcd', 1, '…'],
    ['no room at all', 'abcd', 0, ''],
    ['room that is less than none', 'abcd', -5, ''],
    ['nothing, without room', '', 0, ''],
    ['an entity that fits exactly', 'a<', 5, 'a&lt;'],
    ['an entity is never cut', 'a<b', 5, 'a…'],
    ['an entity that fits before the mark', 'a<b', 6, 'a&lt;b'],
    ['the room counts what is escaped', '<<<', 9, '&lt;&lt;…'],
    ['a character is never halved', '🎻🎻🎻', 4, '🎻…'],
    ['a character with exactly its room', '🎻🎻', 3, '🎻…'],
  ])('%s', (_what, text, room, fitting) => {
    expect(fit(text, room, escapeXml)).toBe(fitting);
  });
});

describe('terminalJson', () => {
  const hostile = '\u001B[31m\u009B0m\u007F\u0085\u2028\u202E\u2066\u061C\uFFFF\0\n"🎻';

  it('parses to the same value', () => {
    const value = { [hostile]: [hostile, 1, null, { a: false }] };
    expect(JSON.parse(terminalJson(value))).toEqual(value);
  });

  it('holds nothing that steers a terminal', () => {
    expect(terminalJson(hostile)).toBe(
      String.raw`"\u001b[31m\u009b0m\u007f\u0085\u2028\u202e\u2066\u061c\uffff\u0000\n\"🎻"`,
    );
  });
});
