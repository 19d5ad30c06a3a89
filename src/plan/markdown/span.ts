/** Span: a range of a text, by offsets. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/** Without surrounding blanks. */
export function trimmed(text: string, { at, end }: Span): Span {
  let [from, to] = [at, end];
  while (from < to && isBlank(text, from)) from += 1;
  while (to > from && isBlank(text, to - 1)) to -= 1;
  return { at: from, end: to };
}
