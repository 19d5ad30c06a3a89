/** Lists and deletes the branches that runs created: one per attempt, and one per run. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, isThere } from '../project-path.ts';
import { mergedRef } from './merge/merge-into-checkout.ts';
import { fieldsOf, git } from './git.ts';
import { checkedOutRefs } from './history.ts';
import { attributesFolder } from './merge/merge-attributes.ts';
import { tryUpdateRefs } from './update-refs.ts';
import { keepRef } from './room/room-name.ts';
import { type Repository, shared, withRepositoryLock } from './repository.ts';

export interface OwnBranch {
  readonly branch: string;
  readonly run: string;
  readonly commit: string;
  /** The attempt's name; absent for the run's own branch. */
  readonly name?: string;
  /** Checked out in a worktree of the user. */
  readonly isCheckedOut: boolean;
}

export async function listOwnBranches(repository: Repository): Promise<OwnBranch[]> {
  if (!(await isRepository(repository))) return [];
  const list = [
    'for-each-ref',
    '--format=%(refname:lstrip=2) %(objectname)%00',
    'refs/heads/divisi',
    'refs/heads/divisi-task',
  ];
  const entries = fieldsOf((await git(shared(repository), list)).stdout);
  const inUse = await checkedOutRefs(repository);
  return entries.flatMap((entry) => {
    const [branch = '', commit = ''] = entry.trim().split(' ');
    const [kind, run = '', name, ...more] = branch.split('/');
    const one = { branch, run, commit, isCheckedOut: inUse.has(`refs/heads/${branch}`) };
    if (more.length > 0 || run === '' || (kind === 'divisi') !== (name === undefined)) return [];
    return [name === undefined ? one : { ...one, name }];
  });
}

/** A folder that had no run has no store yet. */
async function isRepository({ gitDir }: Repository): Promise<boolean> {
  return isThere(join(gitDir, 'HEAD'));
}

/** False if the branch is checked out: then it stays. */
export async function removeRunBranch(repository: Repository, { branch, commit }: OwnBranch): Promise<boolean> {
  return withRepositoryLock(repository, async () => {
    if ((await checkedOutRefs(repository)).has(`refs/heads/${branch}`)) return false;
    const removed = await tryUpdateRefs(repository, [
      // Only if it still points at the commit that was inspected.
      { ref: `refs/heads/${branch}`, from: commit },
      { ref: mergedRef(branch) },
      { ref: keepRef(branch) },
    ]);
    return removed.code === 0;
  });
}

/** Milliseconds after which an unfinished operation counts as abandoned. */
const old = 60 * 60 * 1000;

/** Removes what dead processes left in the repository; in a store of our own, unreachable commits as well. */
export async function tidyRepository(repository: Repository): Promise<void> {
  if (!(await isRepository(repository))) return;
  for (const name of await readdir(repository.gitDir)) {
    const isOurs = /^divisi-index-\d+-[0-9a-f]{12}(?:\.lock)?$/.test(name) || name.startsWith(attributesFolder);
    const file = join(repository.gitDir, name);
    if (isOurs && (await isOld(file))) await rm(file, { recursive: true, force: true });
  }
  if (repository.kind === 'git') return;
  await withRepositoryLock(repository, () => git(shared(repository), ['gc', '--quiet', '--prune=1.hour.ago']));
}

async function isOld(file: string): Promise<boolean> {
  try {
    return Date.now() - (await lstat(file)).mtimeMs > old;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
