/** JSON, one value per line, from a file that grows: a line counts when it is whole, and what is no JSON is left out. */
import type { FileHandle } from 'node:fs/promises';

/** A longer line says nothing that a turn could return. */
const longestLine = 32 * 1024 * 1024;
const newline = 0x0a;

interface LineSplitter {
  /** The lines that this piece completes. */
  readonly add: (piece: Buffer) => Buffer[];
  /** What stands after the last line end. */
  readonly rest: () => Buffer;
}

function lineSplitter(longest: number): LineSplitter {
  let pieces: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer): void => {
    length += piece.length;
    if (length > longest) pieces = [];
    else pieces.push(piece);
  };
  const take = (): Buffer => {
    const line = Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return line;
  };
  return {
    add: (piece) => {
      const lines: Buffer[] = [];
      let start = 0;
      for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, start)) {
        keep(piece.subarray(start, end));
        lines.push(take());
        start = end + 1;
      }
      if (start < piece.length) keep(piece.subarray(start));
      return lines;
    },
    rest: take,
  };
}

const pieceBytes = 64 * 1024;

export interface JsonLines {
  /** All values whose lines have become whole since the last time. */
  readonly next: () => AsyncGenerator<unknown, void, undefined>;
  /** What stands after the last line end, for a file that nobody writes to any more. */
  readonly last: () => unknown[];
}

/** Reads the file from here on. */
export function jsonLines(handle: FileHandle, from: number, longest = longestLine): JsonLines {
  const splitter = lineSplitter(longest);
  let position = from;
  /** Kept until something is read into it: most looks find nothing. */
  let spare: Buffer | undefined;
  return {
    async *next() {
      for (;;) {
        const buffer = (spare ??= Buffer.allocUnsafe(pieceBytes));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
        if (bytesRead === 0) return;
        spare = undefined;
        position += bytesRead;
        for (const line of splitter.add(buffer.subarray(0, bytesRead))) yield* parsed(line);
      }
    },
    last: () => parsed(splitter.rest()),
  };
}

function parsed(line: Buffer): unknown[] {
  try {
    return [JSON.parse(line.toString('utf8'))];
  } catch {
    return [];
  }
}
