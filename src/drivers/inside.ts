/** Files inside a directory, for a driver that makes or reads some itself: nothing is reached through a link that leads out. */
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { messageOf, systemCode } from '../base/error.ts';
import { limits } from '../contracts/field.ts';
import { leadsOut, normalPath, pathFault } from '../base/paths.ts';

/** Null when it was written, else why not. Folders on the way are made. */
export async function writeInside(directory: string, path: string, text: string): Promise<string | null> {
  const fault = pathFault(path);
  if (fault !== undefined) return `${path} may not be written: ${fault}`;
  try {
    const parts = normalPath(path).split('/');
    const folder = await makeFolders(directory, parts.slice(0, -1));
    if (folder === null) return `${path} may not be written: outside`;
    await writeNoFollow(join(folder, parts.at(-1) ?? ''), text);
    return null;
  } catch (error) {
    return `${path} could not be written: ${messageOf(error)}`;
  }
}

/** The folder is there afterwards, unless a link on the way leads out or something else stands in its place. */
export async function folderInside(directory: string, path: string): Promise<void> {
  if (pathFault(path) !== undefined) return;
  await makeFolders(directory, normalPath(path).split('/')).catch(() => null);
}

/** Null when it is there, and nobody else may look into it; else why not. */
export async function privateFolderInside(directory: string, path: string): Promise<string | null> {
  const fault = pathFault(path);
  if (fault !== undefined) return `${path} may not be made: ${fault}`;
  try {
    const folder = await makeFolders(directory, normalPath(path).split('/'), 0o700);
    if (folder === null) return `${path} may not be made: a link leads out`;
    await chmod(folder, 0o700);
    return null;
  } catch (error) {
    return `${path} could not be made: ${messageOf(error)}`;
  }
}

/** Null when that leads out. The mode is that of the last. */
async function makeFolders(directory: string, parts: readonly string[], mode?: number): Promise<string | null> {
  const top = await realpath(directory);
  let at = top;
  for (const [index, part] of parts.entries()) {
    at = join(at, part);
    await makeFolder(at, index === parts.length - 1 ? mode : undefined);
    if (isOutside(top, await realpath(at))) return null;
  }
  return at;
}

/** The text of a file that is small enough to be a return; null for anything else. */
export async function readFileInside(directory: string, path: string): Promise<string | null> {
  if (pathFault(path) !== undefined) return null;
  try {
    const file = join(directory, path);
    const [top, folder, facts] = [await realpath(directory), await realpath(dirname(file)), await lstat(file)];
    if (isOutside(top, folder) || !facts.isFile() || facts.size > limits.input) return null;
    return await readFile(file, 'utf8');
  } catch {
    return null;
  }
}

async function makeFolder(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

async function writeNoFollow(file: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

function isOutside(top: string, path: string): boolean {
  return leadsOut(relative(top, path));
}
