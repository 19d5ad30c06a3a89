/**
 * Writes files atomically: a temporary file next to the target, synced, then renamed. A crash leaves the
 * old file or the new one, and at worst a temporary file whose name begins with a dot.
 */
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from './project-path.ts';
import { randomName } from './random-name.ts';

const temporaryStart = (file: string): string => `.${basename(file).slice(0, 100)}.`;

/** Whether a path is a temporary file of this target. */
export function isTemporaryOf(path: string, file: string): boolean {
  const name = basename(path);
  const isNamed =
    name.startsWith(temporaryStart(file)) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(temporaryStart(file).length));
  return isNamed && dirname(path) === dirname(file);
}

/** `still` is called at the last moment; false leaves the file alone. Returns whether it was written. */
export async function writeAtomically(
  file: string,
  text: string,
  still: () => Promise<boolean> = async () => true,
  modeIfNew = 0o644,
): Promise<boolean> {
  const folder = dirname(file);
  const temporary = join(folder, `${temporaryStart(file)}${randomName()}.tmp`);
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
