/** Reads standard input and writes output synchronously: Node's streams load too slowly for a hook and can lose output at exit. */
import { readSync, writeSync } from 'node:fs';

/** Retries while a non-blocking pipe answers EAGAIN. */
function retryOnEagain(work: () => number): number {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** All of standard input. */
export function readStandardInput(): string {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024);
    const size = retryOnEagain(() => readSync(0, piece));
    if (size === 0) return Buffer.concat(pieces).toString('utf8');
    pieces.push(piece.subarray(0, size));
  }
}

/** Writes everything before it returns; 1 is the client, 2 the agent. A closed pipe is not an error. */
export function write(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  try {
    for (let at = 0; at < bytes.length;) at += retryOnEagain(() => writeSync(descriptor, bytes, at));
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}
