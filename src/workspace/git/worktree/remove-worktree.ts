/**
 * Removes worktrees, including those that a crash or an agent left incomplete. Only ever removes what is in Divisi's
 * own folder.
 */
import { chmod, lstat, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { systemCode, divisiError } from '../../../base/error.ts';
import { leadsOut, normalPath, pathFault } from '../../../base/paths.ts';
import { isMissing } from '../../project-path.ts';
import { git } from '../git.ts';
import { checkedOutRefs } from '../history.ts';
import { type Repository, shared, withRepositoryLock } from '../repository.ts';
import { fileNamesIn, worktreeGitDir } from './worktree-metadata.ts';
import { setUpRef, worktreesFolder } from './worktree-name.ts';

export interface Removal {
  /** The worktree, relative to the project. */
  readonly folder: string;
  /** A branch to delete as well. */
  readonly alsoBranch?: string;
}

/**
 * May be repeated, and called when the folder or its metadata is already gone. False if the branch stays because it
 * is checked out elsewhere.
 */
export async function removeWorktree(repository: Repository, { folder, alsoBranch }: Removal): Promise<boolean> {
  const at = await ownFolder(repository, folder);
  const isThere = at !== undefined && (await removeFiles(at));
  const known = join(repository.project, folder);
  const isKnown = (await worktreeGitDir(repository, known)) !== undefined;
  if (!isThere && !isKnown && alsoBranch === undefined) return true;
  return withRepositoryLock(repository, async () => {
    // Twice, so that a worktree an agent has locked is removed as well. A folder that is no longer a worktree is
    // fine.
    const remove = ['worktree', 'remove', '--force', '--force', known];
    if (isKnown) await git(shared(repository), remove, { answers: [0, 128] });
    await git(shared(repository), ['update-ref', '-d', setUpRef(folder)]);
    // Removes the run's folder with its last worktree; under the lock, since another one may be about to be created
    // in it.
    await rmdir(dirname(known)).catch(() => {});
    return alsoBranch === undefined || removeBranch(repository, ownRef(alsoBranch), known);
  });
}

async function removeBranch(repository: Repository, ref: string, own: string): Promise<boolean> {
  const folders = (await checkedOutRefs(repository)).get(ref) ?? [];
  if (folders.some((folder) => folder !== own)) return false;
  await git(shared(repository), ['update-ref', '-d', ref], { answers: [0, 1] });
  return true;
}

export interface WorktreeOnDisk {
  readonly run: string;
  readonly name: string;
  /** Relative to the project. */
  readonly folder: string;
}

export async function listWorktrees(project: string): Promise<WorktreeOnDisk[]> {
  const all: WorktreeOnDisk[] = [];
  const runs = (await fileNamesIn(join(project, worktreesFolder))).filter((run) => run !== '.gitignore');
  for (const run of runs) {
    for (const name of await fileNamesIn(join(project, worktreesFolder, run))) {
      all.push({ run, name, folder: `${worktreesFolder}/${run}/${name}` });
    }
  }
  return all;
}

function ownRef(branch: string): string {
  if (!/^divisi(?:-task)?\/./.test(branch)) throw new Error(`not a Divisi branch: ${branch}`);
  return `refs/heads/${branch}`;
}

/** The real path; undefined if there is none. A path that leads elsewhere through a symlink is not followed. */
async function ownFolder({ project }: Repository, folder: string): Promise<string | undefined> {
  if (pathFault(folder) || normalPath(folder) !== folder || !/^\.divisi\/worktrees\/[^/]+\/[^/]+$/.test(folder)) {
    throw new Error(`${folder} is not one of Divisi's worktrees`);
  }
  let parent: string;
  try {
    parent = await realpath(dirname(join(project, folder)));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  if (leadsOut(relative(await realpath(project), parent))) {
    throw divisiError('PATH_OUTSIDE', {
      message: `${folder} leads out of the project through a symlink`,
      next: 'Remove the symlink; nothing was deleted.',
      ids: { folder },
    });
  }
  return join(parent, folder.slice(folder.lastIndexOf('/') + 1));
}

/**
 * Returns whether there was anything. Renamed first, so that what a crash leaves is not mistaken for a folder in
 * which an agent deleted files.
 */
async function removeFiles(folder: string): Promise<boolean> {
  const goes = `${folder}.gone`;
  await removeAll(goes);
  try {
    await rename(folder, goes);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  return removeAll(goes);
}

/** Returns whether there was anything. Read-only folders are common: module caches create them. */
async function removeAll(folder: string): Promise<boolean> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, maxRetries: 5, retryDelay: 20 });
  try {
    await remove();
  } catch (error) {
    if (isMissing(error)) return false;
    if (!['EACCES', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
    await makeWritable(folder);
    await remove();
  }
  return true;
}

async function makeWritable(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}
