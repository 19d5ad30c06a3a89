/** Reads and creates files that another process writes. Never follows a link. */
import { constants, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCode } from '../base/error.ts';

/** At most `most` bytes from the start. */
export async function readHead(file: string, most: number): Promise<string> {
  return (await readPart(file, () => 0, most)).toString('utf8');
}

/** At most `most` bytes from the end, and none of the first `after`. */
export async function readTail(file: string, most: number, after = 0): Promise<string> {
  return (await readPart(file, (size) => Math.min(size, Math.max(after, size - most)), most)).toString('utf8');
}

/** `from` receives the size. A missing file is empty. */
async function readPart(file: string, from: (size: number) => number, most: number): Promise<Buffer> {
  // A worker may have replaced it with a link or a pipe.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ifMissing);
  if (handle === null) return Buffer.alloc(0);
  try {
    const facts = await handle.stat();
    const size = facts.isFile() ? facts.size : 0;
    const start = from(size);
    const buffer = Buffer.alloc(Math.min(most, size - start));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** Removes whatever was there, a link included, and never writes through it. */
export async function newFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
}

/** Null for a missing file; rethrows any other error. */
export function ifMissing(error: unknown): null {
  if (['ENOENT', 'ELOOP'].includes(systemCode(error) ?? '')) return null;
  throw error;
}
