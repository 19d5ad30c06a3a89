/** Prints the output files of an agent without a transcript, as they grow. */
import { constants, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { terminalText } from '../../views/text/escape.ts';
import { isMissing } from '../../workspace/project-path.ts';

/** In pieces of at most a megabyte, from where the last one ended. */
async function* growth(file: string, from: number): AsyncGenerator<Buffer> {
  let handle;
  try {
    // A worker may have put a link there, or a pipe: neither is followed.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    if (!(await handle.stat()).isFile()) return;
    for (let at = from; ;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(1 << 20), 0, 1 << 20, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

export async function showOutput(files: readonly string[], follow: () => boolean): Promise<void> {
  const shown = new Map<string, number>();
  // A character may be cut in two by where a piece ends.
  const decoders = new Map(files.map((file) => [file, new TextDecoder()]));
  for (;;) {
    // Asked before the look: what comes between the two is still seen.
    const more = follow();
    for (const file of files) {
      for await (const piece of growth(file, shown.get(file) ?? 0)) {
        shown.set(file, (shown.get(file) ?? 0) + piece.length);
        process.stdout.write(terminalText(decoders.get(file)?.decode(piece, { stream: true }) ?? ''));
      }
    }
    if (!more) return;
    await sleep(500);
  }
}
