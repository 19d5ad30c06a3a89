/**
 * Redact: recognises secrets in free text and replaces them with `[redacted:<kind>]`.
 *
 * Promises:
 * - total: any string is accepted, nothing throws;
 * - idempotent: redacting a redacted text changes nothing and reports no kind;
 * - linear time: no input makes a pattern read the same characters over and over.
 *
 * V8 remembers every step of an open counted repetition (`x{8,}`) and of a repeated group, and throws a RangeError on a run
 * of some millions of characters. This file uses neither: write `x{8}x*`.
 *
 * Refuses to judge entropy, to decode (base64, percent or HTML escapes) and to tell which secrets are still valid.
 * In doubt about the value of a `password:`, it redacts: a lost word costs less than a leaked one.
 *
 * Idempotence rests on two rules every pass keeps. A match runs to the end of its characters, so the text after a marker
 * never becomes a match of its own. A later pass only replaces text with markers, whose brackets no earlier pattern
 * accepts, so it cannot complete a match for an earlier pass.
 */

import type { SecretKind } from './secret-kind.ts';

/** `kinds` is unique and sorted, and empty exactly when the text is unchanged. */
export type Redaction = { readonly text: string; readonly kinds: readonly SecretKind[] };

/** The replaced text, for judging only: never shown. */
export type Secret = { readonly kind: SecretKind; readonly text: string };

/** Records that a secret was found and returns the marker that takes its place. */
type Mark = (kind: SecretKind, secret: string) => string;
type Pass = (text: string, mark: Mark) => string;

export function redact(text: string): Redaction {
  const { clean, found } = separate(text);
  return { text: clean, kinds: [...new Set(found.map(({ kind }) => kind))].toSorted() };
}

export function secretsIn(text: string): readonly Secret[] {
  return separate(text).found;
}

function separate(text: string): { readonly clean: string; readonly found: readonly Secret[] } {
  const found: Secret[] = [];
  if (!MAY_HOLD_SECRET.test(text)) return { clean: text, found };
  const mark: Mark = (kind, secret) => {
    found.push({ kind, text: secret });
    return `[redacted:${kind}]`;
  };
  return { clean: PASSES.reduce((before, pass) => pass(before, mark), text), found };
}

/** The most specific kind comes first: the pass that replaces a secret names it. */
const PASSES: readonly Pass[] = [privateKeys, urlCredentials, vendorTokens, authorizations, assignments];

// --- private keys -----------------------------------------------------------------------------------------------

const KEY_LABEL = '[A-Z\\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
/** A block without its end was cut off: everything after its start may be key. */
const PRIVATE_KEY = new RegExp(`-----BEGIN ${KEY_LABEL}[^]*?(?:-----END ${KEY_LABEL}|$)`, 'g');

function privateKeys(text: string, mark: Mark): string {
  return text.replace(PRIVATE_KEY, (key) => mark('private-key', key));
}

// --- credentials in URLs ----------------------------------------------------------------------------------------

/** The user goes with the password, because some services put the key there. An unescaped `@` in a password is common. */
const URL_LOGIN = /:\/\/[^\s/?#@:"'<>`\\[\]]*:([^\s/?#"'<>`\\[\]]+)@/g;

function urlCredentials(text: string, mark: Mark): string {
  return text.replace(URL_LOGIN, (login: string, password: string) =>
    PLACEHOLDER.test(password) ? login : `://${mark('url-credentials', password)}@`,
  );
}

// --- keys that show by their form -------------------------------------------------------------------------------

/**
 * Where a token may start: not inside a longer word, except right after an escape that only looks like one. Agents send
 * terminal output and JSON inside JSON, where a token follows `\n`, `\u0022`, `%3D` or a colour code such as `[32m`.
 */
const START = '(?:^|[^\\w-]|\\\\[bfnrtv]|\\\\u[\\da-fA-F]{4}|%[\\dA-F]{2}|\\[[\\d;]{1,12}m)';

/** The rest of a run of token characters. */
const REST = '[\\w-]*';
const atLeast = (length: number): string => `[\\w-]{${length}}${REST}`;
const PART = `(?:\\.${atLeast(1)})?`;
const lettersAndDigits = (length: number): string => `[A-Za-z\\d]{${length}}${REST}`;

type TokenForm = {
  readonly kind: SecretKind;
  /** Stays readable in front of the marker. */
  readonly before?: string;
  readonly prefix: string;
  /** Must end at the end of a run, see the header. */
  readonly body: string;
};

const TOKEN_FORMS: readonly TokenForm[] = [
  { kind: 'anthropic', prefix: 'sk-ant-', body: atLeast(8) },
  // A bare `sk-` also begins CSS classes and package names: those have hyphens and no digit.
  { kind: 'openai', prefix: 'sk-', body: `(?:proj-|(?=[A-Za-z\\d]{20})|(?=[\\w-]*\\d))${atLeast(20)}` },
  { kind: 'github', prefix: 'gh[pousr]_', body: lettersAndDigits(20) },
  { kind: 'github', prefix: 'github_pat_', body: atLeast(20) },
  { kind: 'gitlab', prefix: 'glpat-', body: atLeast(16) + PART + PART },
  { kind: 'slack', prefix: 'xox[a-z]-', body: atLeast(10) },
  { kind: 'aws', prefix: 'A[KS]IA', body: `[A-Z\\d]{16}${REST}` },
  { kind: 'google', prefix: 'AIza', body: atLeast(30) },
  { kind: 'google', prefix: 'ya29\\.', body: atLeast(20) },
  { kind: 'stripe', prefix: '[rs]k_(?:live|test)_', body: lettersAndDigits(16) },
  { kind: 'stripe', prefix: 'whsec_', body: '[\\w+/-]{16}[\\w+/-]*={0,2}' },
  { kind: 'npm', prefix: 'npm_', body: lettersAndDigits(30) },
  { kind: 'huggingface', prefix: 'hf_', body: lettersAndDigits(30) },
  { kind: 'sendgrid', prefix: 'SG\\.', body: `${atLeast(16)}\\.${atLeast(16)}` },
  { kind: 'digitalocean', prefix: 'do[opr]_v1_', body: `[a-f\\d]{32}${REST}` },
  { kind: 'pypi', prefix: 'pypi-', body: atLeast(32) },
  { kind: 'telegram', before: '(?:bot)?\\d{8,10}:', prefix: 'AA', body: atLeast(32) },
  // Signed, unsigned, or encrypted (five parts, of which the second may be empty).
  { kind: 'jwt', prefix: 'eyJ', body: `${atLeast(8)}\\.(?:eyJ${atLeast(8)}|${REST}\\.${atLeast(8)})${PART}${PART}` },
];

/**
 * The lookbehind runs only after the prefix has matched, which keeps the scan of ordinary text as fast as a literal
 * search.
 */
const VENDOR_TOKEN = new RegExp(
  TOKEN_FORMS.map(({ before = '', prefix, body }) => `(${prefix}(?<=${START}${before}${prefix})${body})`).join('|'),
  'g',
);

function vendorTokens(text: string, mark: Mark): string {
  return text.replace(VENDOR_TOKEN, (token: string, ...groups: readonly unknown[]) => {
    const form = TOKEN_FORMS[groups.findIndex((group) => group !== undefined)];
    return form === undefined ? token : mark(form.kind, token);
  });
}

// --- authorization values ---------------------------------------------------------------------------------------

const AUTHORIZATION = /((?:bearer|basic)[ \t]+)([\w.~+/-]{4}[\w.~+/-]*={0,2})/gi;
/** The bracket tells the header from the marker this pass leaves. */
const HEADER_NAME = /authorization(?!\])\W{1,6}$/i;
const HEADER_NAME_REACH = 'authorization'.length + 6;

function authorizations(text: string, mark: Mark): string {
  const pieces: string[] = [];
  let done = 0;
  let from = 0;
  for (let match = matchFrom(AUTHORIZATION, text, from); match !== null; match = matchFrom(AUTHORIZATION, text, from)) {
    const [, scheme = '', value = ''] = match;
    // Searches refused text again: "Basic Bearer …".
    from = match.index + scheme.length;
    const before = text.slice(Math.max(0, match.index - HEADER_NAME_REACH), match.index);
    if (!HEADER_NAME.test(before) && !looksEncoded(value)) continue;
    pieces.push(text.slice(done, from), mark('authorization', value));
    from += value.length;
    done = from;
  }
  return pieces.join('') + text.slice(done);
}

/** Outside a header, "basic understanding" and "bearer token" are English. */
function looksEncoded(value: string): boolean {
  return (
    (value.length >= 8 && /[\d=]/.test(value)) ||
    (value.length >= 12 && /[a-z][A-Z]/.test(value)) ||
    /\w{24}/.test(value)
  );
}

// --- assignments ------------------------------------------------------------------------------------------------

const AWS_KEY = 'secret[_-]?access[_-]?key';
const STRONG_KEYS = [
  AWS_KEY,
  'password|passwd|passphrase|pwd',
  '(?:api|secret|access|private)[_-]?key',
  'client[_-]?secret',
  '(?:auth|access)[_-]?token',
].join('|');
const WEAK_KEYS = 'token|secret';
const IS_AWS_KEY = new RegExp(`^${AWS_KEY}$`, 'i');
const IS_WEAK_KEY = new RegExp(`^(?:${WEAK_KEYS})$`, 'i');

const BLANKS = '[ \\t]*';
/** A type between key and value (`password: string = …`) belongs to the key. */
const ANNOTATION = `:${BLANKS}(?:string|str)${BLANKS}`;

/**
 * A key with its separator. The match starts at the separator, rare in prose, and looks back for the key: twenty words
 * in any case would be the slowest search of this file. The key may be quoted, an index (`['password']`), or bold.
 */
function assignmentHead(keys: string): RegExp {
  const gap = `(?:\\\\{0,3}["'\`])?\\]?(?:\\*\\*)?${BLANKS}(?:${ANNOTATION})?`;
  const separator = `(?:=>|:=|={1,3}|:(?!:)(?!${ANNOTATION.slice(1)}=))`;
  return new RegExp(`(?<=(${keys})(${gap}))${separator}${BLANKS}(?:\\*\\*)?${BLANKS}`, 'gi');
}

const ANY_HEAD = assignmentHead(`${STRONG_KEYS}|${WEAK_KEYS}`);
const STRONG_HEAD = assignmentHead(STRONG_KEYS);

function assignments(text: string, mark: Mark): string {
  return replaceValues(text, ANY_HEAD, mark);
}

/** Reads each value only once, whether it is a secret or not, which keeps the time linear. */
function replaceValues(text: string, head: RegExp, mark: Mark): string {
  const pieces: string[] = [];
  let done = 0;
  let from = 0;
  for (let match = matchFrom(head, text, from); match !== null; match = matchFrom(head, text, from)) {
    const [separator, key = '', gap = ''] = match;
    from = match.index + separator.length;
    // Skips a key inside the previous value, which may have been replaced.
    if (match.index - gap.length - key.length < done) continue;
    const { start, end } = valueSpan(text, from);
    pieces.push(text.slice(done, start), judged(key, text.slice(start, end), mark));
    done = end;
    from = end;
  }
  return pieces.join('') + text.slice(done);
}

function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

const MARKERS = /\[redacted:[a-z-]+\]/g;

/** References and masks; `true` and the like say that there is no value to hide. */
const PLACEHOLDER =
  /^(?:\$[A-Z_][A-Z\d_]*|\$[A-Za-z_]+|\$\{[\w.]+\}?|<[^<>]*>|process\.env(?:\.\w+|\[["'\w\]]*)!?|\*+|null|undefined|true|false)$/;

/** Ignores markers in a value: replacing a part of it must never turn a refusal into a match. */
function judged(key: string, value: string, mark: Mark): string {
  const own = value.includes('[redacted:') ? value.replace(MARKERS, '') : value;
  if (PLACEHOLDER.test(own)) return value;
  if (!IS_WEAK_KEY.test(key)) return own.length >= 4 ? mark(IS_AWS_KEY.test(key) ? 'aws' : 'assignment', own) : value;
  if (own.length < 8) return value;
  if (/\d/.test(own)) return mark('assignment', own);
  // `token: "the password=…"`: the whole is not a secret, a part of it may be.
  return replaceValues(value, STRONG_HEAD, mark);
}

/**
 * One quick test for the minimum that any pass needs. Most texts do not contain it, and five passes over each add up.
 */
const MAY_HOLD_SECRET = new RegExp(
  ['-----BEGIN ', '://', ...TOKEN_FORMS.map(({ prefix }) => prefix), 'bearer|basic', STRONG_KEYS, WEAK_KEYS].join('|'),
  'i',
);

type Span = { readonly start: number; readonly end: number };

const ANGLE_PLACEHOLDER = /<[^<>\r\n]{0,80}>(?=[\s"'`,;.)}]|$)/y;
/** A string prefix (`b"…"`) or a call around the string (`SecretStr("…")`, `{"…"}`), then the quote and its escapes. */
const OPENING_QUOTE = /(?:[bfru@$]{0,2}|[\w.$]{0,40}[({]{1,2})(\\{3}|\\|)("""|'''|["'`])(?!, |\)[;,)])/iy;
/** A list separator ends a bare value only where another key follows: passwords contain commas. */
const BARE_END = /[\s"'`]|[,;&](?=[\w.-]*[=:])/g;

function valueSpan(text: string, from: number): Span {
  const angle = matchFrom(ANGLE_PLACEHOLDER, text, from);
  if (angle !== null) return { start: from, end: from + angle[0].length };
  const opening = matchFrom(OPENING_QUOTE, text, from);
  if (opening === null) return { start: from, end: bareEnd(text, from) };
  const [all, escapes = '', quote = ''] = opening;
  const start = from + all.length;
  return { start, end: quotedEnd(text, start, quote.charAt(0), escapes.length) };
}

/** Keeps what closes a sentence or a call, and backslashes, which may escape the quote that ended the value. */
function bareEnd(text: string, from: number): number {
  let end = matchFrom(BARE_END, text, from)?.index ?? text.length;
  while (end > from && ',;:.)}\\'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/**
 * The closing quote carries as many backslashes as the opening one (`level`: 0, then 1 and 3 for JSON within JSON), after
 * any number of escaped backslashes. A quote with fewer ends the string around it. No value goes beyond its line.
 */
function quotedEnd(text: string, from: number, quote: string, level: number): number {
  let backslashes = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\n' || char === '\r') return at;
    const closes = backslashes < level || backslashes % (2 * (level + 1)) === level;
    if (char === quote && closes) return at - Math.min(backslashes, level);
    backslashes = char === '\\' ? backslashes + 1 : 0;
  }
  return text.length;
}
