/**
 * Reads one JSON value as agents write it, with the repairs that makes necessary.
 *
 * Owns: which slips are repaired and under which name, what survives of a text that was cut off, which keys came twice.
 * Refuses: to guess. Unescaped quotes inside a string, bare words as values and brackets that do not match are errors with
 * a position.
 *
 * Promises: total, iterative, linear in time. Of a key given twice the last value counts. Every key, `__proto__` too, is an
 * own property. A container is attached to its parent when it opens, so whatever was read is at any moment a complete
 * value, and a text that ends early needs no unwinding.
 *
 * States:
 *   value        a value must come                         → start, after-value, done
 *   start        inside a container: an element or its end → start, value (after a key), after-value, done
 *   after-value  a comma (maybe missing) or the end        → after-comma, after-value, done
 *   after-comma  an element, forgivably the end            → as start
 *   done         only blanks may follow
 */

// prettier-ignore
export type JsonRepair =
  | 'comment' | 'trailing-comma' | 'missing-comma' | 'single-quotes' | 'unquoted-key' | 'raw-newline-in-string'
  | 'unterminated' | 'bad-escape' | 'python-literal';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

type Success = {
  readonly ok: true;
  readonly value: Json;
  readonly repairs: readonly JsonRepair[];
  readonly duplicateKeys: readonly string[];
};
type Failure = { readonly ok: false; readonly at: number; readonly expected: string };
export type ParsedJson = Success | Failure;

type JsonObject = { [key: string]: Json };
type Reader = {
  readonly text: string;
  at: number;
  state: 'value' | 'start' | 'after-value' | 'after-comma' | 'done';
  /** The key whose value comes next. */
  key: string;
  root: Json | undefined;
  failure: Failure | undefined;
  /** Containers still open, outermost first. */
  readonly open: (Json[] | JsonObject)[];
  readonly repairs: Set<JsonRepair>;
  readonly duplicateKeys: Set<string>;
};

/** Deeper than anything a contract can declare. */
export const MAX_DEPTH = 200;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function parseLeniently(given: string): ParsedJson {
  // White space after a truncated text was added in transit.
  let end = given.length;
  while (end > 0 && ' \t\n\r'.includes(given.charAt(end - 1))) end--;
  const text = given.slice(0, end);
  const repairs = new Set<JsonRepair>();
  const duplicateKeys = new Set<string>();
  const start = { at: 0, state: 'value', key: '', root: undefined, failure: undefined } as const;
  const reader: Reader = { ...start, text, open: [], repairs, duplicateKeys };
  for (skipBlanks(reader); reader.at < text.length; skipBlanks(reader)) {
    step(reader);
    if (reader.failure !== undefined) return reader.failure;
  }
  if (reader.root === undefined) return { ok: false, at: reader.at, expected: 'a value' };
  if (reader.state !== 'done') repairs.add('unterminated');
  return { ok: true, value: reader.root, repairs: [...repairs], duplicateKeys: [...duplicateKeys] };
}

/** Reads a token, fails, or supplies a missing comma before a character that is sure to be read next: so the loop ends. */
function step(reader: Reader): void {
  if (reader.state === 'value') readValue(reader);
  else if (reader.state === 'done') fail(reader, 'nothing after the value');
  else readInside(reader);
}

function fail(reader: Reader, expected: string): void {
  reader.failure = { ok: false, at: reader.at, expected };
}

function readValue(reader: Reader): void {
  const char = reader.text[reader.at];
  if (char === '{') openContainer(reader, {});
  else if (char === '[') openContainer(reader, []);
  else if (char === '"' || char === "'") deliver(reader, readString(reader));
  else readBareValue(reader);
}

function openContainer(reader: Reader, container: Json[] | JsonObject): void {
  if (reader.open.length === MAX_DEPTH) return fail(reader, `at most ${MAX_DEPTH} levels`);
  deliver(reader, container);
  reader.open.push(container);
  reader.state = 'start';
  reader.at++;
}

function closeContainer(reader: Reader): void {
  if (reader.state === 'after-comma') reader.repairs.add('trailing-comma');
  reader.open.pop();
  reader.state = reader.open.length === 0 ? 'done' : 'after-value';
  reader.at++;
}

function deliver(reader: Reader, value: Json): void {
  const { key } = reader;
  const holder = reader.open.at(-1);
  reader.state = holder === undefined ? 'done' : 'after-value';
  if (holder === undefined) reader.root = value;
  else if (Array.isArray(holder)) holder.push(value);
  else if (!(key in holder)) holder[key] = value;
  else {
    // Given before, or inherited by every object: then assigning could run a setter or hit a frozen prototype.
    if (Object.hasOwn(holder, key)) reader.duplicateKeys.add(key);
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
  }
}

function readInside(reader: Reader): void {
  const inArray = Array.isArray(reader.open.at(-1));
  const closing = inArray ? ']' : '}';
  const char = reader.text[reader.at];
  if (char === closing) return closeContainer(reader);
  if (reader.state !== 'after-value') return inArray ? readValue(reader) : readKey(reader);
  if (char === ',') reader.at++;
  else if (isCommaMissing(reader, inArray)) reader.repairs.add('missing-comma');
  else return fail(reader, `',' or '${closing}'`);
  reader.state = 'after-comma';
}

/** Tokens that touch are rather a string with an unescaped quote in it; not so brackets and a quoted key with its colon. */
function isCommaMissing(reader: Reader, inArray: boolean): boolean {
  const char = reader.text[reader.at] ?? '';
  if (char === '{' || char === '[') return inArray;
  if (inArray ? !/["'\w-]/.test(char) : !/["'\p{L}\p{N}_$]/u.test(char)) return false;
  const touches = /["'\w.]/.test(reader.text[reader.at - 1] ?? '');
  return !touches || (!inArray && char === '"');
}

/** Bounded, because with the u flag an unbounded loop may keep a way back per character. */
const BARE_KEY = /[\p{L}\p{N}_$][\p{L}\p{N}_$-]{0,99}/uy;

/** With its colon. A key without one at the end of the text was cut off and is forgotten. */
function readKey(reader: Reader): void {
  const char = reader.text[reader.at];
  const isQuoted = char === '"' || char === "'";
  reader.key = isQuoted ? readString(reader) : matchAt(BARE_KEY, reader);
  if (!isQuoted) {
    if (reader.key === '') return fail(reader, "a key or '}'");
    reader.repairs.add('unquoted-key');
    reader.at += reader.key.length;
  }
  skipBlanks(reader);
  if (reader.at < reader.text.length && reader.text[reader.at] !== ':') return fail(reader, "':'");
  reader.state = 'value';
  reader.at++;
}

function matchAt(sticky: RegExp, reader: Reader): string {
  sticky.lastIndex = reader.at;
  return sticky.test(reader.text) ? reader.text.slice(reader.at, sticky.lastIndex) : '';
}

const BARE_VALUE = /[\w.+-]+/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const CUT_NUMBER_TAIL = /(?:\.|[eE][+-]?|^-)$/;
const LITERALS = Object.entries({ true: true, false: false, null: null, True: true, False: false, None: null });

/** Cut off by the end of the text, a literal is completed, a number keeps its valid part, a mere sign is forgotten. */
function readBareValue(reader: Reader): void {
  const token = matchAt(BARE_VALUE, reader);
  if (token === '') return fail(reader, 'a value');
  const isCut = reader.at + token.length === reader.text.length && reader.open.length > 0;
  const number = isCut ? token.replace(CUT_NUMBER_TAIL, '') : token;
  if (NUMBER.test(number)) deliver(reader, Number(number));
  else if (number !== '') {
    const literal = LITERALS.find(([name]) => name === token || (isCut && name.startsWith(token)));
    if (literal === undefined) return fail(reader, 'a value');
    if (/^[TFN]/.test(token)) reader.repairs.add('python-literal');
    deliver(reader, literal[1]);
  }
  reader.at += token.length;
}

/** Leaves the reader after the closing quote, or at the end of the text if there is none. */
function readString(reader: Reader): string {
  const { text } = reader;
  const quote = text.charCodeAt(reader.at);
  if (quote !== QUOTE) reader.repairs.add('single-quotes');
  let value = '';
  let from = ++reader.at;
  while (reader.at < text.length) {
    const code = text.charCodeAt(reader.at);
    if (code === quote) return value + text.slice(from, reader.at++);
    if (code < 0x20) reader.repairs.add('raw-newline-in-string');
    if (code !== BACKSLASH) reader.at++;
    else {
      value += text.slice(from, reader.at) + readEscape(reader, quote);
      from = reader.at;
    }
  }
  reader.repairs.add('unterminated');
  return value + text.slice(from);
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
/** Complete, or what the end of the text left of an escape. */
const UNICODE_ESCAPE = /\\(?:u[\da-fA-F]{4}|(?:u[\da-fA-F]{0,3})?$)/y;

/** An escape JSON does not know keeps its backslash: it is a pattern or a path (`\d`, `C:\x`) written as it is. */
function readEscape(reader: Reader, quote: number): string {
  const letter = reader.text.charAt(reader.at + 1);
  const plain = /["\\/']/.test(letter) ? letter : ESCAPES[letter];
  const unicode = plain === undefined ? matchAt(UNICODE_ESCAPE, reader) : '';
  const isBad = plain === undefined ? unicode === '' : plain === "'" && quote === QUOTE;
  if (isBad) reader.repairs.add('bad-escape');
  reader.at += plain === undefined ? Math.max(1, unicode.length) : 2;
  if (unicode === '') return plain ?? '\\';
  return unicode.length === 6 ? String.fromCharCode(Number.parseInt(unicode.slice(2), 16)) : '';
}

function skipBlanks(reader: Reader): void {
  while (reader.at < reader.text.length) {
    const code = reader.text.charCodeAt(reader.at);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) reader.at++;
    else if (code !== 0x2f || !skipComment(reader)) return;
  }
}

/** A block comment that never ends takes the rest of the text; a slash as the last character was going to be a comment. */
function skipComment(reader: Reader): boolean {
  const second = reader.text.charAt(reader.at + 1);
  if (!'/*'.includes(second)) return false;
  const end = second === '/' ? reader.text.indexOf('\n', reader.at) : reader.text.indexOf('*/', reader.at + 2) + 1;
  if (end <= 0 && second !== '/') reader.repairs.add('unterminated');
  reader.repairs.add('comment');
  reader.at = end <= 0 ? reader.text.length : end + 1;
  return true;
}
