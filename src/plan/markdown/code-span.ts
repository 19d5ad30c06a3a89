/** Code inside a line: what stands between two runs of as many backticks. */

/** What a text ends in, where that is code, and the words before it. */
export interface CodeAtEnd {
  readonly before: string;
  readonly code: string;
}

/** A full stop behind the code is none of it. */
export function codeAtEnd(text: string): CodeAtEnd | undefined {
  const trimmed = text.trimEnd();
  const end = trimmed.endsWith('`.') ? trimmed.length - 1 : trimmed.length;
  let from = end;
  while (from > 0 && trimmed[from - 1] === '`') from -= 1;
  const fence = trimmed.slice(from, end);
  if (fence === '' || from === 0) return undefined;
  const at = trimmed.lastIndexOf(fence, from - 1 - fence.length);
  // A longer run of backticks is another fence, and leaves this one without its beginning.
  if (at < 0 || trimmed[at - 1] === '`') return undefined;
  const code = trimmed.slice(at + fence.length, from).trim();
  return code === '' ? undefined : { before: trimmed.slice(0, at), code };
}
