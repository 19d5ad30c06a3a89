/**
 * Bounded lines: passes on a client's messages, one a line, and leaves out those that are too long. The transport behind it would
 * close the connection, and with it all other calls.
 */
import { Transform, type TransformCallback } from 'node:stream';

export interface BoundedLines {
  /** Bytes of one line. The transport's own limit is 10 MiB. */
  readonly most: number;
  /** Called once for each line that was left out, with its beginning. */
  readonly onLong: (beginning: string) => void;
}

const beginning = 1024;
const newline = 10;

export function boundedLines({ most, onLong }: BoundedLines): Transform {
  let held: Buffer[] = [];
  let size = 0;
  let isLong = false;
  const take = (part: Buffer): void => {
    if (isLong) return;
    held.push(part);
    size += part.length;
    if (size <= most) return;
    isLong = true;
    onLong(Buffer.concat(held).toString('utf8', 0, beginning));
    held = [];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        take(chunk.subarray(from, end + 1));
        for (const part of held) this.push(part);
        [held, size, isLong] = [[], 0, false];
        from = end + 1;
      }
      if (from < chunk.length) take(chunk.subarray(from));
      done();
    },
  });
}

/** The id of a request whose text is cut; undefined where its beginning does not have it. */
export function idIn(text: string): string | number | undefined {
  const [, id] =
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*(?:"method"\s*:\s*"[\w/]{1,80}"\s*,\s*)?"id"\s*:\s*("[\w-]{1,80}"|\d{1,15})/.exec(
      text,
    ) ?? [];
  return id === undefined ? undefined : (JSON.parse(id) as string | number);
}
