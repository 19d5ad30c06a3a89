/** Inside: writes a driver's own files and folders into a directory. Refuses paths that lead out of it. */
import { constants } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../base/error.ts';
import { normalPath, pathFault } from '../base/paths.ts';
import { folderInside } from '../workspace/project-path.ts';

/** Null on success, else the reason. Creates missing folders. */
export async function writeInside(directory: string, path: string, text: string): Promise<string | null> {
  const fault = pathFault(path);
  if (fault !== undefined) return `${path} may not be written: ${fault}`;
  try {
    const normal = normalPath(path);
    const folder = await folderInside(directory, dirname(normal));
    await writeNoFollow(join(folder, normal.slice(normal.lastIndexOf('/') + 1)), text);
    return null;
  } catch (error) {
    return `${path} could not be written: ${messageOf(error)}`;
  }
}

/** A folder that other users cannot read. Null on success, else the reason. */
export async function privateFolderInside(directory: string, path: string): Promise<string | null> {
  const fault = pathFault(path);
  if (fault !== undefined) return `${path} may not be created: ${fault}`;
  try {
    await chmod(await folderInside(directory, normalPath(path), 0o700), 0o700);
    return null;
  } catch (error) {
    return `${path} could not be created: ${messageOf(error)}`;
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
