/** Splice: replaces ranges of a text. */
export interface Splice {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** The ranges do not overlap. An insertion precedes a replacement at the same place. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let done = 0;
  let result = '';
  for (const { at, end, text: put } of splices.toSorted((one, other) => one.at - other.at || one.end - other.end)) {
    result += text.slice(done, at) + put;
    done = end;
  }
  return result + text.slice(done);
}
