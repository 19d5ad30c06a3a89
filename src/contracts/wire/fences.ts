/** Code fences: which parts of a text are quoted material rather than the text itself. */

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Fence extends Span {
  /** The text between the opening and the closing line. */
  readonly inner: Span;
}

/** Not `^` and `$`: with the m flag they also stand beside U+2028, which ends no line here. */
const fenceLine = /(?<![^\n]) {0,3}(`{3,}|~{3,})([^\n]*)/g;

/** In order; a fence that never closes runs to the end of the text. */
export function findFences(text: string): Fence[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  const fences: Fence[] = [];
  let open: { mark: string; start: number; inner: number } | undefined;
  fenceLine.lastIndex = 0;
  for (let match = fenceLine.exec(text); match !== null; match = fenceLine.exec(text)) {
    const [line, mark = '', info = ''] = match;
    const after = Math.min(match.index + line.length + 1, text.length);
    if (open === undefined) {
      if (!(mark.startsWith('`') && info.includes('`'))) open = { mark, start: match.index, inner: after };
    } else if (mark.startsWith(open.mark) && info.trim() === '') {
      fences.push({ start: open.start, end: after, inner: { start: open.inner, end: Math.max(match.index, open.inner) } });
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
