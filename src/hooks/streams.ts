/**
 * What a client sends and what it is told, by plain reads and writes: Node's streams take longer to load than a hook may take, and
 * lose what a pipe has no room for when the process ends.
 */
import { readSync, writeSync } from 'node:fs';

/** A pipe that does not block says so (EAGAIN) instead of waiting: then this waits. */
function patiently(work: () => number): number {
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
export function readInput(): string {
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.allocUnsafe(64 * 1024);
    const size = patiently(() => readSync(0, piece));
    if (size === 0) return Buffer.concat(pieces).toString('utf8');
    pieces.push(piece.subarray(0, size));
  }
}

/** All of the text, before this returns; to 1 for the client, to 2 for the agent. Nobody there to hear it is no fault. */
export function write(descriptor: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, 'utf8');
  try {
    for (let at = 0; at < bytes.length;) at += patiently(() => writeSync(descriptor, bytes, at));
  } catch (error) {
    if (codeOf(error) !== 'EPIPE') throw error;
  }
}
