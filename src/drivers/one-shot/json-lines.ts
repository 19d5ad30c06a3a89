/** Reads JSON lines from a growing file. Skips incomplete lines and lines that are not JSON. */
import type { FileHandle } from 'node:fs/promises';

/** Bytes. No return is that long. */
const longestLine = 32 * 1024 * 1024;
const newline = 0x0a;

interface LineSplitter {
  /** The lines completed by this piece. */
  readonly add: (piece: Buffer) => Buffer[];
  /** The bytes after the last line break. */
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
  /** The values of all lines completed since the last call. */
  readonly next: () => AsyncGenerator<unknown, void, undefined>;
  /** The value after the last line break. For a file that is no longer written. */
  readonly last: () => unknown[];
}

/** Reads the file from this position. */
export function jsonLines(handle: FileHandle, from: number, longest = longestLine): JsonLines {
  const splitter = lineSplitter(longest);
  let position = from;
  /** Reused until something is read into it: most reads find nothing. */
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
