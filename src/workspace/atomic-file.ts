/**
 * Writes files atomically: a temporary file next to the target, synced, then renamed. A crash leaves the
 * old file or the new one, and at worst a temporary file whose name begins with a dot, which the next process removes.
 */
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from './project-path.ts';
import { sweepTemporaries, temporaryFor } from './temporary-name.ts';

/** `still` is called at the last moment; false leaves the file alone. Returns whether it was written. */
export async function writeAtomically(
  file: string,
  text: string,
  still: () => Promise<boolean> = async () => true,
  modeIfNew = 0o644,
): Promise<boolean> {
  const folder = dirname(file);
  await sweepTemporaries(folder);
  const temporary = temporaryFor(file);
  try {
    const handle = await open(temporary, 'wx', await modeOf(file, modeIfNew));
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await still())) {
      await rm(temporary, { force: true });
      return false;
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
  return true;
}

/** For this user alone. */
export async function writePrivately(file: string, text: string): Promise<void> {
  await writeAtomically(file, text, undefined, 0o600);
}

async function modeOf(file: string, modeIfNew: number): Promise<number> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return modeIfNew;
    throw error;
  }
}

/** The rename is durable only once the folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
