/** Code fences: which parts of a text are quoted material rather than the text itself. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Fence extends Span {
  /** The text between the opening and the closing line. */
  readonly inner: Span;
}

/** Not `^`: with the m flag it also stands beside U+2028, which ends no line here. */
const markLine = /(?<![^\n]) {0,3}(?:```|~~~)/g;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const TILDE = 0x7e;

/** Where the next mark stands, from the beginning of a line on; -1 where there is none. */
function nextMark(text: string, from: number): number {
  markLine.lastIndex = from;
  return markLine.test(text) ? markLine.lastIndex - 3 : -1;
}

function endOfRun(text: string, start: number, code: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) === code) end += 1;
  return end;
}

/** In order; a fence that never closes runs to the end of the text. Without slices: a text may be all fences. */
export function findFences(text: string): Fence[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const fences: Fence[] = [];
  let open: { code: number; length: number; start: number; inner: number } | undefined;
  for (let at = nextMark(text, 0), next = 0; at >= 0; at = nextMark(text, next)) {
    const code = text.charCodeAt(at);
    const end = endOfRun(text, at, code);
    const newline = text.charCodeAt(end) === NEWLINE ? end : text.indexOf('\n', end);
    next = newline < 0 ? text.length : newline + 1;
    const info = newline === end ? '' : text.slice(end, next).trim();
    const start = text.charCodeAt(at - 1) === SPACE ? text.lastIndexOf('\n', at) + 1 : at;
    if (open === undefined) {
      if (code === TILDE || !info.includes('`')) open = { code, length: end - at, start, inner: next };
    } else if (code === open.code && end - at >= open.length && info === '') {
      fences.push({ start: open.start, end: next, inner: { start: open.inner, end: Math.max(start, open.inner) } });
      open = undefined;
    }
  }
  if (open !== undefined) {
    fences.push({ start: open.start, end: text.length, inner: { start: open.inner, end: text.length } });
  }
  return fences;
}

/** The span around a position; positions are asked in ascending order. */
export function spanAt<S extends Span>(spans: readonly S[]): (position: number) => S | undefined {
  let at = 0;
  return (position) => {
    while (at < spans.length && (spans[at] as S).end <= position) at += 1;
    const span = spans[at];
    return span !== undefined && span.start <= position ? span : undefined;
  };
}

/** A test for positions asked in ascending order. */
export function insideOf(spans: readonly Span[]): (position: number) => boolean {
  const around = spanAt(spans);
  return (position) => around(position) !== undefined;
}

/** What stands between the spans of a text, in order. */
export function outsideOf(spans: readonly Span[], length: number): Span[] {
  const outside: Span[] = [];
  let start = 0;
  for (const span of spans) {
    if (span.start > start) outside.push({ start, end: span.start });
    start = span.end;
  }
  if (length > start) outside.push({ start, end: length });
  return outside;
}
