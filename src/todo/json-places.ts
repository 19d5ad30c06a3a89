/**
 * JSON places: finds the positions of values in a JSON text: a value can be replaced while every other byte stays.
 * Requires valid JSON; for any other text the result is undefined, but the search ends.
 */

/** From the first character of a value or member to after its last. */
export interface JsonPlace {
  readonly at: number;
  readonly end: number;
}

export interface JsonMember extends JsonPlace {
  readonly key: string;
  readonly value: JsonPlace;
}

const quote = 34;
const backslash = 92;
/** The closing characters come two code points later. */
const brace = 123;
const bracket = 91;

const blank = /[ \t\r\n]*/y;
const scalar = /[^\s,\]}]*/y;

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function stringEnd(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    if (text.charCodeAt(end - 1) !== backslash) return end + 1;
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** The position after the value that begins here. */
function valueEnd(text: string, at: number): number {
  const first = text[at];
  if (first === '"') return stringEnd(text, at);
  if (first !== '{' && first !== '[') return skip(scalar, text, at);
  let depth = 0;
  for (let end = at; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === quote) end = stringEnd(text, end) - 1;
    else if (code === brace || code === bracket) depth += 1;
    else if (code === brace + 2 || code === bracket + 2) {
      depth -= 1;
      if (depth === 0) return end + 1;
    }
  }
  return text.length;
}

/** The value of the whole text. */
export function rootPlace(text: string): JsonPlace {
  const at = skip(blank, text, text.startsWith('\u{feff}') ? 1 : 0);
  return { at, end: valueEnd(text, at) };
}

/** The members of an object. */
export function* membersOf(text: string, { at: start, end }: JsonPlace): Generator<JsonMember> {
  for (let at = skip(blank, text, start + 1); at < end - 1;) {
    const keyEnd = stringEnd(text, at);
    const valueAt = skip(blank, text, skip(blank, text, keyEnd) + 1);
    const value = { at: valueAt, end: valueEnd(text, valueAt) };
    yield { key: keyOf(text.slice(at, keyEnd)), at, end: value.end, value };
    at = skip(blank, text, skip(blank, text, value.end) + 1);
  }
}

function keyOf(written: string): string {
  return written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1);
}

/** The items of an array. */
export function* itemsOf(text: string, { at: start, end }: JsonPlace): Generator<JsonPlace> {
  for (let at = skip(blank, text, start + 1); at < end - 1;) {
    const item = { at, end: valueEnd(text, at) };
    yield item;
    at = skip(blank, text, skip(blank, text, item.end) + 1);
  }
}
