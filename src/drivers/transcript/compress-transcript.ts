/**
 * Compresses a transcript when its conversation is closed. One whole file exists at any moment: the plain one until the
 * compressed one is renamed into place. The next call cleans up after a crash. Redacts the lines that a program wrote itself.
 */
import { constants, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { redact } from '../../base/redact.ts';
import { linesOf } from './line-reader.ts';
import { openToRead, chunksOf } from './transcript-file.ts';

/** Does nothing without the file. Rejects if it cannot write, and leaves the plain file. */
export async function compressTranscript(file: string): Promise<void> {
  const source = await openToRead(file);
  if (source === null) return;
  const unfinished = `${file}.gz.tmp`;
  try {
    await rm(unfinished, { force: true });
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    const target = await open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await pipeline(redacted(chunksOf(source)), createGzip(), async (compressed: AsyncIterable<Buffer>) => {
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
