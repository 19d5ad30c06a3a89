/**
 * Finds the JSON objects in the text an agent returned.
 *
 * Owns: which `{` belongs to which `}` in text that is mostly prose and often broken.
 * Refuses: to say whether a span reads as JSON (parse-json.ts does), to look for arrays or scalars, and to treat `'` as a
 * quote, because prose is full of apostrophes.
 *
 * Promise: total, one pass, linear in time whatever the text. A `{` that is never closed is ignored and hides nothing: a span
 * counts unless it lies inside another span that closes.
 */

export type JsonSpan = { readonly start: number; readonly end: number; readonly complete: boolean };

type Scan = {
  readonly text: string;
  /** The end of the text without trailing white space. */
  readonly contentEnd: number;
  /** Opening braces not yet closed, outermost first. */
  readonly open: number[];
  /** The end of the line whose quotes do not pair up: until there, a quote is an ordinary character. */
  plainQuotesUntil: number;
  /** Set after a failed search for the end of a block comment, which is then never repeated. */
  noCommentEnd: boolean;
};

/** Far more than an answer has, in depth and in number. */
const KEPT = 4_096;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const NEWLINE = 0x0a;

/** The outermost `{…}` spans in order; if none closes, the one object that seems to have been cut off, if any. */
export function findJson(text: string): JsonSpan[] {
  const scan: Scan = { text, contentEnd: text.trimEnd().length, open: [], plainQuotesUntil: 0, noCommentEnd: false };
  const spans: JsonSpan[] = [];
  let at = text.indexOf('{');
  while (at !== -1 && at < text.length) {
    switch (text.charCodeAt(at)) {
      case BRACE_OPEN:
        scan.open.push(at++);
        forgetFirst(scan.open);
        break;
      case BRACE_CLOSE:
        close(scan.open, spans, ++at);
        // Outside braces nothing but the next `{` matters, and indexOf gets there ten times as fast as this loop.
        if (scan.open.length === 0) at = text.indexOf('{', at);
        break;
      case QUOTE:
        at = skipString(scan, at);
        break;
      case SLASH:
        at = skipComment(scan, at);
        break;
      default:
        at = nextMark(text, at + 1);
    }
  }
  return spans.length > 0 ? spans : cutOffObject(text, scan.open);
}

const MARK = /[{}"/]/g;

/** A native search is three times as fast as a loop over prose; over consecutive braces it is slower, see the caller. */
function nextMark(text: string, from: number): number {
  MARK.lastIndex = from;
  return MARK.test(text) ? MARK.lastIndex - 1 : -1;
}

/** Forgets the first spans when there are too many: the answer is at the end, and a million braces cost memory. */
function forgetFirst(list: unknown[]): void {
  if (list.length > 2 * KEPT) list.splice(0, KEPT);
}

/** Drops spans inside the one that closes now: they were not outermost. */
function close(open: number[], spans: JsonSpan[], end: number): void {
  const start = open.pop();
  if (start === undefined) return;
  for (let last = spans.at(-1); last !== undefined && last.start > start; last = spans.at(-1)) spans.pop();
  spans.push({ start, end, complete: true });
  forgetFirst(spans);
}

/** The position to continue at after the quote at `from`. */
function skipString(scan: Scan, from: number): number {
  if (from < scan.plainQuotesUntil) return from + 1;
  const { text } = scan;
  let at = from + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === NEWLINE) break;
    if (code === BACKSLASH && text.charCodeAt(at + 1) !== NEWLINE) at++;
  }
  // The text ends in an open string: it was cut off there, and braces inside are content. Unless it ends in a `}`.
  if (at >= scan.contentEnd && text[scan.contentEnd - 1] !== '}') return text.length;
  // A stray quote, or a raw newline in a string. Braces up to the end of the line count: `", "last": 2}` still closes.
  scan.plainQuotesUntil = at;
  return from + 1;
}

/** The position to continue at after the slash at `from`. */
function skipComment(scan: Scan, from: number): number {
  const { text } = scan;
  const second = text[from + 1];
  if (second === '/') {
    // In `{ see https://…` the slashes are not a comment; `"key":// note` has a quote before the colon and is one.
    if (/^[a-z]:$/i.test(text.slice(Math.max(0, from - 2), from))) return from + 2;
    const lineEnd = text.indexOf('\n', from);
    return lineEnd === -1 ? text.length : lineEnd;
  }
  if (second !== '*' || scan.noCommentEnd) return from + 1;
  const end = text.indexOf('*/', from + 2);
  if (end !== -1) return end + 2;
  scan.noCommentEnd = true;
  return from + 1;
}

/** The text after the `{` of an object: a quoted key, a bare key with its colon (or cut off before it), or the end. */
const OBJECT_START = /\s*(?:["'}]|[\p{L}_$][\w$-]*\s*(?::|$))/uy;

/**
 * Among the braces still open, the innermost that begins an object and every one around it that does too: the outermost of
 * those. A brace that begins nothing ends the run, so prose before the object stays outside.
 */
function cutOffObject(text: string, open: readonly number[]): JsonSpan[] {
  let start: number | undefined;
  for (let index = open.length - 1; index >= 0; index--) {
    const brace = open[index] ?? 0;
    OBJECT_START.lastIndex = brace + 1;
    if (OBJECT_START.test(text)) start = brace;
    else if (start !== undefined) break;
  }
  return start === undefined ? [] : [{ start, end: text.length, complete: false }];
}
