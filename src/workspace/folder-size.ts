/** Adds up the sizes of all files in a folder. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './project-path.ts';

/** Does not follow symlinks. Files that disappear meanwhile count as empty. */
export async function folderSize(path: string): Promise<number> {
  try {
    const facts = await lstat(path);
    if (!facts.isDirectory()) return facts.size;
    let bytes = 0;
    for (const name of await readdir(path)) bytes += await folderSize(join(path, name));
    return bytes;
  } catch (error) {
    if (isMissing(error) || (error instanceof Error && 'code' in error && error.code === 'EACCES')) return 0;
    throw error;
  }
}
