import { describe, expect, it } from 'vitest';
import { findJson } from './find-json.ts';

/** The spans as their text; one that was cut off ends in `…`. */
function found(text: string): string[] {
  return findJson(text).map(({ start, end, complete }) => text.slice(start, end) + (complete ? '' : '…'));
}

type Row = readonly [what: string, text: string, spans: readonly string[]];

const complete: readonly Row[] = [
  ['nothing', '', []],
  ['prose', 'All done, nothing to report.', []],
  ['an array', '[1, 2]', []],
  ['an object', '{"a":1}', ['{"a":1}']],
  ['the empty object', 'see {} there', ['{}']],
  ['an object in a fence', 'Result:\n```json\n{"a": 1}\n```\nBye', ['{"a": 1}']],
  ['several objects', '{"a":1} and {"b":2}', ['{"a":1}', '{"b":2}']],
  ['nested objects as one', '{"a":{"b":{}},"c":{}}', ['{"a":{"b":{}},"c":{}}']],
  ['objects in an array one by one', '[{"a":1},{"b":2}]', ['{"a":1}', '{"b":2}']],
  ['an object after stray closing braces', '} }} {"a":1} }', ['{"a":1}']],
  ['an object after a stray opening brace', 'use { to open.\n{"a":{"b":1}}', ['{"a":{"b":1}}']],
  ['all objects after stray opening braces', '{ {"a":1}\n{ {"b":2}', ['{"a":1}', '{"b":2}']],
  ['what a later brace closes as one', 'if (x) { {"a":1} {"b":2} }', ['{ {"a":1} {"b":2} }']],
];

const strings: readonly Row[] = [
  ['braces in strings', '{"a":"}{","b":1}', ['{"a":"}{","b":1}']],
  ['escaped quotes', '{"a":"\\"}","b":"\\\\"}', ['{"a":"\\"}","b":"\\\\"}']],
  ['quotes outside braces as nothing', 'a 5" screen {"a":1} "', ['{"a":1}']],
  ['a stray quote as one lost line', 'a { and a 5" screen\n{"a":1}', ['{"a":1}']],
  ['a backslash before a newline as one lost line', 'a { and a "\\\n{"a":1}', ['{"a":1}']],
  ['a raw newline in a string', '{"a":"one\ntwo","b":2}\nBye', ['{"a":"one\ntwo","b":2}']],
  ['a raw newline in the last string', '{"a":"one\ntwo"}', ['{"a":"one\ntwo"}']],
  ['code over several raw lines', '{"a":"f() {\n  g();\n}\n"}\nBye', ['{"a":"f() {\n  g();\n}\n"}']],
];

const comments: readonly Row[] = [
  ['a line comment with a brace', '{"a":1 // not }\n}', ['{"a":1 // not }\n}']],
  ['a line comment with a quote', '{"a":1, // 5" {\n"b":2}', ['{"a":1, // 5" {\n"b":2}']],
  ['a line comment after a colon', '{"a":// {\n1}', ['{"a":// {\n1}']],
  ['a block comment', '{/* } " */"a":1}', ['{/* } " */"a":1}']],
  ['a block comment over lines', '{/* }\n " { */"a":1}', ['{/* }\n " { */"a":1}']],
  ['slashes in strings as text', '{"a":"http://x","b":"/*"}', ['{"a":"http://x","b":"/*"}']],
  ['the slashes of an address as text', '{ see https://x {"a":1}', ['{"a":1}']],
  ['comments outside braces as nothing', '// {"a":1}\n/* {"b":2} */', ['{"a":1}', '{"b":2}']],
  ['a block comment without end as text', '{ src/* {"a":1}', ['{"a":1}']],
];

const cutOff: readonly Row[] = [
  ['an object cut off', 'Result: {"a": 1, "b": [2', ['{"a": 1, "b": [2…']],
  ['the outermost of nested ones', '{"a": {"b": {"c": 1', ['{"a": {"b": {"c": 1…']],
  ['a key on the next line', '{\n  "a": 1,\n', ['{\n  "a": 1,\n…']],
  ['a bare key', '{a: 1', ['{a: 1…']],
  ['a bare key cut off', '{stat', ['{stat…']],
  ['a single-quoted key', "{'a': 1", ["{'a': 1…"]],
  ['without the stray brace before it', 'a {, then {"a": 1', ['{"a": 1…']],
  ['without the word in braces before it', 'a { word {"a": 1', ['{"a": 1…']],
  ['without the object before that brace', 'a {"a" in {, then {"b": 1', ['{"b": 1…']],
  ['past a last brace that says nothing yet', '{"a": {', ['{"a": {…']],
  ['with braces in the string it broke off in', '{"a": "use {} or {x}, then', ['{"a": "use {} or {x}, then…']],
  ['and a newline after that string', '{"a": "use {}, then\n', ['{"a": "use {}, then\n…']],
  ['nothing that looks like an object', 'a { and {{ (', []],
  ['only if no object is complete', '{"a":1} {"b":', ['{"a":1}']],
];

describe.each([
  ['complete objects', complete],
  ['strings', strings],
  ['comments', comments],
  ['objects cut off', cutOff],
])('findJson: %s', (_, rows) => {
  it.each(rows)('finds %s', (_what, text, spans) => {
    expect(found(text)).toEqual(spans);
  });
});

describe('findJson on large text', () => {
  it('needs no call stack for nesting', () => {
    const depth = 8 * 1024 * 1024;
    expect(findJson('['.repeat(depth))).toEqual([]);
    expect(findJson('{'.repeat(depth))).toEqual([]);
    expect(findJson('{'.repeat(1_000) + '}'.repeat(1_000))).toEqual([{ start: 0, end: 2_000, complete: true }]);
  });

  it('keeps the last of very many, whether they lie side by side or in one another', () => {
    const many = 100_000;
    expect(findJson('{}'.repeat(many)).at(-1)).toEqual({ start: 2 * many - 2, end: 2 * many, complete: true });
    expect(findJson('{'.repeat(many) + '}'.repeat(many))).toHaveLength(1);
    expect(findJson(`${'{'.repeat(many)}{"a":1}`)).toEqual([{ start: many, end: many + 7, complete: true }]);
  });
});
