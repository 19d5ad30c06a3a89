/** Reads files that others may have replaced: only a regular file of a sensible size. Never blocks on a pipe. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

const onlyLook = constants.O_RDONLY | constants.O_NONBLOCK;

export async function readRegularFile(file: string, mostBytes: number): Promise<Buffer> {
  const handle = await open(file, onlyLook);
  try {
    refuseOdd(await handle.stat(), mostBytes);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** For small files: the process waits for it. */
export function readRegularFileNow(file: string, mostBytes: number): Buffer {
  const handle = openSync(file, onlyLook);
  try {
    refuseOdd(fstatSync(handle), mostBytes);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

function refuseOdd(facts: Stats, mostBytes: number): void {
  if (!facts.isFile()) throw new Error('not a regular file');
  if (facts.size > mostBytes) throw new Error(`larger than ${mostBytes} bytes`);
}
