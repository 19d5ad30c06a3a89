/** Reads files that others may have replaced: only a regular file of a sensible size. */
import { constants, open } from 'node:fs/promises';

/** Never blocks on a pipe, and never reads without a limit. */
export async function readRegularFile(file: string, mostBytes: number): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new Error('not a regular file');
    if (facts.size > mostBytes) throw new Error(`larger than ${mostBytes} bytes`);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
