/**
 * Creates a worktree with the files of a commit. Its metadata is created under the lock; the files, which take
 * longest, are written outside it, in parallel with other worktrees.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../../base/error.ts';
import { folderInside } from '../../project-path.ts';
import { type GitPlace, git } from '../git.ts';
import { removeWorktree } from './remove-worktree.ts';
import { type Repository, shared, withRepositoryLock } from '../repository.ts';
import { copyIndex, pristineIndex } from './worktree-metadata.ts';
import { checkoutName, worktreeFolder, worktreesFolder } from './worktree-name.ts';

export interface NewWorktree {
  readonly run: string;
  readonly name: string;
  readonly commit: string;
  /** Created at, or moved to, the commit; without one, HEAD is detached. */
  readonly branch?: string;
}

export interface AddedWorktree {
  /** Relative to the project. */
  readonly folder: string;
  /** The project inside the worktree, absolute: the agent's working directory. */
  readonly directory: string;
  /** Git on the worktree's own index and files. */
  readonly place: GitPlace & { readonly gitDir: string; readonly workTree: string };
}

/** Removes what an earlier attempt left under the same name; a failure leaves nothing behind. */
export async function addWorktree(
  repository: Repository,
  { run, name, commit, branch }: NewWorktree,
  signal?: AbortSignal,
): Promise<AddedWorktree> {
  const folder = worktreeFolder(run, name);
  await ownIgnore(repository.project);
  await removeWorktree(repository, { folder });
  const workTree = join(repository.project, folder);
  const onto = branch === undefined ? ['--detach'] : ['-B', branch];
  const add = ['worktree', 'add', '--quiet', '--no-checkout', ...onto, workTree, commit];
  try {
    await withRepositoryLock(
      repository,
      async () => {
        await folderInside(repository.project, `${worktreesFolder}/${run}`);
        await git(shared(repository, signal), add);
      },
      signal,
    );
    const gitDir = (await readFile(join(workTree, '.git'), 'utf8')).slice('gitdir: '.length).trimEnd();
    const place = { environment: repository.environment, gitDir, workTree, directory: workTree, signal };
    await git(place, ['read-tree', '--reset', '-u', commit]);
    await copyIndex(join(gitDir, 'index'), pristineIndex(gitDir));
    const directory = join(workTree, repository.prefix);
    await mkdir(directory, { recursive: true });
    return { folder, directory: directory.replace(/\/$/, ''), place };
  } catch (error) {
    await removeWorktree(repository, { folder }).catch(() => {});
    throw error;
  }
}

/** Detached, for inspecting merged work; `removeWorktree` removes it. */
export async function openCheckout(
  repository: Repository,
  { run, name, commit }: { readonly run: string; readonly name: string; readonly commit: string },
  signal?: AbortSignal,
): Promise<{ folder: string; directory: string }> {
  const { folder, directory } = await addWorktree(repository, { run, name: checkoutName(name), commit }, signal);
  return { folder, directory };
}

/** Hides worktrees from the user's `git status`, whatever `.divisi/.gitignore` says. */
async function ownIgnore(project: string): Promise<void> {
  const folder = await folderInside(project, worktreesFolder);
  try {
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
