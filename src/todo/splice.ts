/** Places of a text that become another. */
export interface Splice {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** They do not overlap. What is put at a place comes before what becomes of the text there. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let done = 0;
  let result = '';
  for (const { at, end, text: put } of splices.toSorted((one, other) => one.at - other.at || one.end - other.end)) {
    result += text.slice(done, at) + put;
    done = end;
  }
  return result + text.slice(done);
}
