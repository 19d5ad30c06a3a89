/**
 * Puts a transcript away when its conversation is closed. At any moment there is one whole file: the plain one until the
 * compressed one has its name, and then that. What a crash leaves in between is done with by the next call.
 * A program that writes its own lines does not redact them; from here on they are.
 */
import { constants, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { redact } from '../../base/redact.ts';
import { linesOf } from './line-reader.ts';
import { openToRead, piecesOf } from './transcript-file.ts';

/** Nothing happens where there is no such file. Rejects where it cannot be written; the plain one is left then. */
export async function compressTranscript(file: string): Promise<void> {
  const source = await openToRead(file);
  if (source === null) return;
  const unfinished = `${file}.gz.tmp`;
  try {
    await rm(unfinished, { force: true });
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const target = await open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await pipeline(redacted(piecesOf(source)), createGzip(), async (compressed: AsyncIterable<Buffer>) => {
        for await (const piece of compressed) await target.appendFile(piece);
      });
      await target.sync();
    } finally {
      await target.close();
    }
    await rename(unfinished, `${file}.gz`);
    await rm(file, { force: true });
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await source.close();
  }
}

async function* redacted(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const lines of linesOf(pieces)) yield `${lines.map((line) => redact(line).text).join('\n')}\n`;
}
