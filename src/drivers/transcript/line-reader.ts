/** Splits pieces of bytes into lines, in linear time. */

/** Bytes. Longer lines are cut: they are held in memory. */
const longest = 4 * 1024 * 1024;
const newline = 0x0a;

export interface LineReader {
  /** The lines completed by this piece. Keeps the piece: the caller must not write to it afterwards. */
  add(piece: Buffer): string[];
  /** The text after the last line break; null for none. */
  rest(): string | null;
}

export function lineReader(): LineReader {
  let parts: Buffer[] = [];
  let length = 0;

  function keep(part: Buffer): void {
    if (part.length > 0 && length < longest) parts.push(part.subarray(0, longest - length));
    length += part.length;
  }
  function take(): string {
    const text = Buffer.concat(parts).toString('utf8');
    parts = [];
    length = 0;
    return text;
  }

  return {
    add(piece) {
      const lines: string[] = [];
      let from = 0;
      for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, from)) {
        keep(piece.subarray(from, at));
        lines.push(take());
        from = at + 1;
      }
      keep(piece.subarray(from));
      return lines;
    },
    rest: () => (length === 0 ? null : take()),
  };
}

/** The lines of each piece, and finally the rest without a line break. */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const reader = lineReader();
  for await (const piece of pieces) {
    const lines = reader.add(piece);
    if (lines.length > 0) yield lines;
  }
  const rest = reader.rest();
  if (rest !== null) yield [rest];
}
