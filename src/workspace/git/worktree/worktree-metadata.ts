/**
 * What the repository keeps about each of its worktrees. Found by asking the repository, never the worktree: the `.git` in
 * there belongs to an agent, who may have pointed it elsewhere.
 */
import { copyFile, constants, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../../project-path.ts';
import type { Repository } from '../repository.ts';

/** The folder with the worktree's HEAD and index; undefined where the repository knows of none. `folder` is absolute. */
export async function worktreeGitDir(repository: Repository, folder: string): Promise<string | undefined> {
  const all = join(repository.gitDir, 'worktrees');
  for (const name of await namesIn(all)) {
    const gitDir = join(all, name);
    if ((await textOf(join(gitDir, 'gitdir'))).trimEnd() === join(folder, '.git')) return gitDir;
  }
  return undefined;
}

/** The index as it was when the files were checked out, beside the one that agents use. */
export function pristineIndex(gitDir: string): string {
  return join(gitDir, 'divisi-index');
}

/**
 * With its time: git trusts what an index says about a file only if the file is older than the index. A copy that looks newer
 * than it is would hide what was changed in the same second.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, atime, mtime);
}

export async function namesIn(folder: string): Promise<string[]> {
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
