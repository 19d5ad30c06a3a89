/**
 * Finds a worktree's metadata by asking the repository, never the worktree: the `.git` file in there belongs to an
 * agent, who may have pointed it elsewhere.
 */
import { copyFile, constants, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../project-path.ts';
import type { Repository } from '../repository.ts';

/**
 * The folder with the worktree's HEAD and index; undefined if the repository does not know it. `folder` is absolute.
 */
export async function worktreeGitDir(repository: Repository, folder: string): Promise<string | undefined> {
  const all = join(repository.gitDir, 'worktrees');
  for (const name of await fileNamesIn(all)) {
    const gitDir = join(all, name);
    if ((await textOf(join(gitDir, 'gitdir'))).trimEnd() === join(folder, '.git')) return gitDir;
  }
  return undefined;
}

/** A copy of the index as of the checkout, next to the one agents use. */
export function pristineIndex(gitDir: string): string {
  return join(gitDir, 'divisi-index');
}

/**
 * Preserves the timestamp: git trusts an index about a file only if the file is older than the index. A copy that
 * looks newer would hide changes made in the same second.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, atime, mtime);
}

export async function fileNamesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}
