/**
 * What set-up commands do to a new worktree is nobody's work. It is kept as a commit on top of what they found, so that it can
 * be told from what an agent does afterwards; a ref of its own keeps that commit for as long as there is the worktree.
 */
import { commitTree } from '../commit-tree.ts';
import { git } from '../git.ts';
import { type Repository, shared, withRepositoryLock } from '../repository.ts';
import { type SnapshotSpec, treeOfWorktree } from './snapshot-worktree.ts';
import { setUpRef } from './worktree-name.ts';

export type SetUpSpec = Pick<SnapshotSpec, 'folder' | 'base' | 'exclude' | 'identity' | 'at'>;

export interface SetUp<T> {
  readonly done: T;
  /** Its parent is what was found; absent where the files are as they were. */
  readonly commit?: string;
}

/** Keeps what this work does to the files of a worktree in which nobody else is at work. */
export async function keepSetUp<T>(
  repository: Repository,
  spec: SetUpSpec,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<SetUp<T>> {
  const before = await treeOfWorktree(repository, spec, signal);
  const done = await work();
  const after = await treeOfWorktree(repository, spec, signal);
  if (before === undefined || after === undefined || before === after) return { done };
  const { base, identity, at, folder } = spec;
  const found = { tree: before, parents: [base], message: 'Before set-up', identity, at };
  const parents = [await commitTree(repository, found)];
  const commit = await commitTree(repository, { tree: after, parents, message: 'Changes by set-up', identity, at });
  await withRepositoryLock(repository, () => git(shared(repository), ['update-ref', setUpRef(folder), commit]));
  return { done, commit };
}
