/** Fences: finds code fences, which mark quoted material. */

export interface FenceSpan {
  readonly start: number;
  readonly end: number;
}

export interface Fence extends FenceSpan {
  /** The text between the opening and the closing line. */
  readonly inner: FenceSpan;
}

/** Not `^`: with the m flag it also matches beside U+2028, which does not end a line here. */
const markLine = /(?<![^\n]) {0,3}(?:```|~~~)/g;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const TILDE = 0x7e;

/** The position of the next mark at the start of a line; -1 if there is none. */
function nextMark(text: string, from: number): number {
  // Directly adjacent fences need no search.
  if (text.startsWith('```', from)) return from;
  markLine.lastIndex = from;
  return markLine.test(text) ? markLine.lastIndex - 3 : -1;
}

function endOfRun(text: string, start: number, code: number): number {
  let end = start;
  while (end < text.length && text.charCodeAt(end) === code) end += 1;
  return end;
}

/**
 * In order, found on demand. A fence that never closes runs to the end of the text. A mark alone on its line costs no slice
 * and no pattern: a text may consist of nothing else.
 */
export function* fencesIn(text: string): Generator<Fence, undefined> {
  if (!text.includes('```') && !text.includes('~~~')) return;
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
      yield { start: open.start, end: next, inner: { start: open.inner, end: Math.max(start, open.inner) } };
      open = undefined;
    }
  }
  if (open !== undefined) yield { start: open.start, end: text.length, inner: { start: open.inner, end: text.length } };
}

export function findFences(text: string): Fence[] {
  return [...fencesIn(text)];
}

/** The span around a position; positions must ascend. */
export function spanAt<S extends FenceSpan>(spans: Iterable<S, undefined>): (position: number) => S | undefined {
  const rest = spans[Symbol.iterator]();
  let span: S | undefined;
  let started = false;
  return (position) => {
    if (!started) span = rest.next().value;
    started = true;
    while (span !== undefined && span.end <= position) span = rest.next().value;
    return span !== undefined && span.start <= position ? span : undefined;
  };
}

/** A test for ascending positions. */
export function insideOf(spans: Iterable<FenceSpan, undefined>): (position: number) => boolean {
  const around = spanAt(spans);
  return (position) => around(position) !== undefined;
}

/** The text between the spans, in order. */
export function outsideOf(spans: Iterable<FenceSpan>, length: number): FenceSpan[] {
  const outside: FenceSpan[] = [];
  let start = 0;
  for (const span of spans) {
    if (span.start > start) outside.push({ start, end: span.start });
    start = span.end;
  }
  if (length > start) outside.push({ start, end: length });
  return outside;
}
