/** Code and comments: lines that are no structure until something ends them. */

export interface Open {
  /** The characters of a fence; as many of them end it. */
  readonly fence?: string;
  /** A line with this in it is the last. */
  readonly until?: RegExp;
  /** What can be written to end it. */
  readonly closing: string;
  /** The column of the list item that holds it; a line left of that ends it as well. */
  readonly column: number;
}

const fenceStart = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const rawStart = /^<(?:pre|script|style|textarea)(?:[\s>]|$)/i;
const rawEnd = /<\/(?:pre|script|style|textarea)>/i;

/** What a line opens and does not end itself. */
export function opened(content: string, column: number): Open | undefined {
  const found = fenceStart.exec(content);
  const fence = found?.[1] ?? found?.[2];
  if (fence !== undefined) return { fence, closing: fence, column };
  if (content.startsWith('<!--'))
    return content.includes('-->', 2) ? undefined : { until: /-->/, closing: '-->', column };
  if (rawStart.test(content) && !rawEnd.test(content)) return { until: rawEnd, closing: '</pre>', column };
  return undefined;
}

export function ends({ fence = '', until, column }: Open, content: string, indent: number): boolean {
  if (until) return until.test(content);
  if (indent - column > 3 || !content.startsWith(fence)) return false;
  for (const character of content.slice(fence.length)) if (character !== fence[0]) return false;
  return true;
}
