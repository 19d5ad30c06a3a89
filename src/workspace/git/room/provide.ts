/** Links or copies files of the user's checkout, such as `node_modules`, into a worktree, as configured. */
import { constants, cp, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { normalPath, pathFault } from '../../../base/paths.ts';
import { folderInside, isThere, locate } from '../../project-path.ts';

export interface Provision {
  /** Relative to the project. */
  readonly link: readonly string[];
  readonly copy: readonly string[];
}

/** Only paths that exist inside the project and not yet in the worktree. `directory` is the project in the worktree. */
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

async function each(
  project: string,
  directory: string,
  given: string,
  make: (source: string, target: string) => Promise<void>,
): Promise<void> {
  const path = normalPath(given);
  // The worktrees themselves are in `.divisi`.
  if (pathFault(given) || path === '.' || path.split('/')[0] === '.divisi') return;
  const place = await locate(project, path);
  if (place.found !== 'inside') return;
  const target = join(directory, path);
  if (await isThere(target)) return;
  const parent = dirname(path);
  if (parent !== '.') await folderInside(directory, parent);
  await make(place.path, target);
}
