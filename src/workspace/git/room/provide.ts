/** Links or copies files of the user's checkout, such as `node_modules`, into a room, as configured. */
import { constants, cp, realpath, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { normalPath, pathFault } from '../../../base/paths.ts';
import { folderInside, isThere, locate } from '../../project-path.ts';

export interface Provision {
  /** Relative to the project. */
  readonly link: readonly string[];
  readonly copy: readonly string[];
}

/** Only paths that exist inside the project and not yet in the room. `directory` is the project in the room. */
export async function provide(project: string, directory: string, { link, copy }: Provision): Promise<void> {
  for (const path of link) {
    await each(project, directory, path, (source, target) => symlink(source, target));
  }
  for (const path of copy) {
    await each(project, directory, path, (source, target) =>
      cp(source, target, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE }),
    );
  }
}

/** Reports and plans in `.divisi` belong to the checkout; a room gets the reports that its agent reads, and a `.git` of its own. */
export function isOwnFolder(path: string): boolean {
  const parts = path.split('/');
  return parts[0] === '.divisi' || parts.includes('.git');
}

async function each(
  project: string,
  directory: string,
  given: string,
  make: (source: string, target: string) => Promise<void>,
): Promise<void> {
  const path = normalPath(given);
  if (pathFault(given) || path === '.' || isOwnFolder(path)) return;
  const place = await locate(project, path);
  if (place.found !== 'inside' || isOwnFolder(relative(await realpath(project), place.path))) return;
  const target = join(directory, path);
  if (await isThere(target)) return;
  const parent = dirname(path);
  if (parent !== '.') await folderInside(directory, parent);
  await make(place.path, target);
}
