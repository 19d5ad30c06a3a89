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

import { SHOWN, shownSecrets } from './shown-secrets.ts';
import type { MarkSecret, SecretKind } from './secret-kind.ts';
import { START, TOKEN_FORMS } from './token-forms.ts';

/** `kinds` is unique and sorted, and empty exactly when the text is unchanged. */
export type Redaction = { readonly text: string; readonly kinds: readonly SecretKind[] };

/** The replaced text, for judging only: never shown. */
export type Secret = { readonly kind: SecretKind; readonly text: string };

type Pass = (text: string, mark: MarkSecret) => string;

export function redact(text: string): Redaction {
  const { clean, found } = separate(text);
  return { text: clean, kinds: [...new Set(found.map(({ kind }) => kind))].toSorted() };
}

export function secretsIn(text: string): readonly Secret[] {
  return separate(text).found;
}

type Separated = { readonly clean: string; readonly found: readonly Secret[] };

/**
 * Characters that are not seen can split a secret, or set it apart from the word before it. It is looked for with and without them;
 * the text loses them where only that finds a secret whole.
 */
function separate(text: string): Separated {
  const asIs = separated(text);
  if (!UNSEEN.test(text)) return asIs;
  const bare = separated(text.replace(ALL_UNSEEN, ''));
  if (hasAllOf(bare.found, asIs.found)) return hasAllOf(asIs.found, bare.found) ? asIs : bare;
  const rest = separated(asIs.clean.replace(ALL_UNSEEN, ''));
  return rest.found.length === 0 ? asIs : { clean: rest.clean, found: [...asIs.found, ...rest.found] };
}

/** Whether each secret is part of one of the others, which are found in the same order. */
function hasAllOf(others: readonly Secret[], secrets: readonly Secret[]): boolean {
  let at = 0;
  return secrets.every(({ text }) => {
    const bare = text.replace(ALL_UNSEEN, '');
    while (at < others.length && others[at]?.text.includes(bare) !== true) at += 1;
    return at < others.length;
  });
}

function separated(text: string): Separated {
  const found: Secret[] = [];
  if (!MAY_HOLD_SECRET.test(text)) return { clean: text, found };
  const mark: MarkSecret = (kind, secret) => {
    found.push({ kind, text: secret });
    return `[redacted:${kind}]`;
  };
  return { clean: PASSES.reduce((before, pass) => pass(before, mark), text), found };
}

/** The most specific kind comes first: the pass that replaces a secret names it. */
const PASSES: readonly Pass[] = [privateKeys, urlCredentials, vendorTokens, shownSecrets, authorizations, assignments];

/** Terminal sequences, and characters without a width. */
const UNSEEN =
  // eslint-disable-next-line no-control-regex -- matches control characters on purpose
  /\u001b(?:\[[\d;?]*[ -/]?[@-~]|[@-Z\\-_])|[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Default_Ignorable_Code_Point}/u;
const ALL_UNSEEN = new RegExp(UNSEEN.source, 'gu');

// --- private keys -----------------------------------------------------------------------------------------------

const KEY_LABEL = '[A-Z\\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
/** A block without its end was cut off: everything after its start may be key. */
const PRIVATE_KEY = new RegExp(`-----BEGIN ${KEY_LABEL}[^]*?(?:-----END ${KEY_LABEL}|$)`, 'g');

function privateKeys(text: string, mark: MarkSecret): string {
  return text.replace(PRIVATE_KEY, (key) => mark('private-key', key));
}

// --- credentials in URLs ----------------------------------------------------------------------------------------

/** The user goes with the password, because some services put the key there. An unescaped `@` in a password is common. */
const URL_LOGIN = /:\/\/[^\s/?#@:"'<>`\\[\]]*:([^\s/?#"'<>`\\[\]]+)@/g;

/** `https://TOKEN@host`: long and with a digit, unlike the name of a user. */
const URL_TOKEN = /:\/\/([\w.~%+-]{16}[\w.~%+-]*)@/g;

function urlCredentials(text: string, mark: MarkSecret): string {
  const tokens = text.replace(URL_TOKEN, (login: string, token: string) =>
    /\d/.test(token) ? `://${mark('url-credentials', token)}@` : login,
  );
  return tokens.replace(URL_LOGIN, (login: string, password: string) =>
    PLACEHOLDER.test(password) ? login : `://${mark('url-credentials', password)}@`,
  );
}

// --- keys that show by their form -------------------------------------------------------------------------------

/**
 * The lookbehind runs only after the prefix has matched, which keeps the scan of ordinary text as fast as a literal
 * search.
 */
const VENDOR_TOKEN = new RegExp(
  TOKEN_FORMS.map(({ before = '', prefix, body }) => `(${prefix}(?<=${START}${before}${prefix})${body})`).join('|'),
  'g',
);

function vendorTokens(text: string, mark: MarkSecret): string {
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

function authorizations(text: string, mark: MarkSecret): string {
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
  'password|passwd|passphrase|passcode|pwd|_pass',
  '(?:api|secret|access|private|account|encryption|signing|master)[_-]?key(?:[_-]base)?',
  'shared[_-]?access[_-]?(?:key|signature)',
  'client[_-]?secret',
  '(?:auth|access|refresh)[_-]?token',
  '(?<![A-Za-z\\d])_auth',
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

function assignments(text: string, mark: MarkSecret): string {
  return replaceValues(text, ANY_HEAD, mark);
}

/** Reads each value only once, whether it is a secret or not, which keeps the time linear. */
function replaceValues(text: string, head: RegExp, mark: MarkSecret): string {
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
function judged(key: string, value: string, mark: MarkSecret): string {
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
  [
    '-----BEGIN ',
    '://',
    ...TOKEN_FORMS.map(({ prefix }) => prefix),
    'bearer|basic',
    STRONG_KEYS,
    WEAK_KEYS,
    SHOWN,
  ].join('|'),
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
