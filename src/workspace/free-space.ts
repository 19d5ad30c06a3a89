/** Reads how much space is left on the disk of a folder, which may not exist yet. */
import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Bytes. `free` is what this user may still use. */
export interface FreeSpace {
  readonly free: number;
  readonly total: number;
}

export function freeSpace(folder: string): FreeSpace {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  const { bavail, blocks, bsize } = statfsSync(at);
  return { free: bavail * bsize, total: blocks * bsize };
}
