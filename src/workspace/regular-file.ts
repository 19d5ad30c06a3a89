/** Files that others may have exchanged for something else: only a regular file of a bearable size is read. */
import { constants, open } from 'node:fs/promises';

/** Never waits for a pipe, and never reads without end. */
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
