/** The cells of one row of a GFM table: between pipes, unless a backslash stands before them. */

/** From one offset up to another. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

const isBlank = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\t';

/**
 * Each without the blanks around it. Where a cell holds nothing but blanks, the place behind the first of them: what is
 * written there stands apart from the pipe.
 */
export function tableCells(text: string, at: number, end: number): Span[] {
  while (at < end && isBlank(text, at)) at += 1;
  while (end > at && isBlank(text, end - 1)) end -= 1;
  if (text[at] === '|') at += 1;
  const cells: Span[] = [];
  let from = at;
  for (let index = at; index <= end; index += 1) {
    const character = text[index];
    if (index < end && character === '\\' && (text[index + 1] === '|' || text[index + 1] === '\\')) index += 1;
    else if (index === end ? from < end : character === '|') {
      cells.push(trimmedCell(text, from, index));
      from = index + 1;
    }
  }
  return cells;
}

function trimmedCell(text: string, at: number, end: number): Span {
  const begin = at;
  while (at < end && isBlank(text, at)) at += 1;
  if (at === end) return { at: Math.min(begin + 1, end), end: Math.min(begin + 1, end) };
  while (end > at && isBlank(text, end - 1)) end -= 1;
  return { at, end };
}
