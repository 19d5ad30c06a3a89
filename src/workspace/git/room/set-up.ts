/**
 * Keeps the changes that set-up commands make in a new room apart from the agent's work: as a commit on top of
 * what they found, held by a ref of its own as long as the room exists.
 */
import { commitTree } from '../commit-tree.ts';
import { type Repository, withRepositoryLock } from '../repository.ts';
import { updateRefs } from '../update-refs.ts';
import { type SnapshotSpec, treeOfRoom } from './snapshot-room.ts';
import { acceptSubmodules } from './room-submodules.ts';
import { setUpRef } from './room-name.ts';

export type SetUpSpec = Pick<SnapshotSpec, 'folder' | 'base' | 'exclude' | 'identity' | 'at'>;

export interface SetUp<T> {
  readonly done: T;
  /** Its parent is the state before set-up; absent if the files did not change. */
  readonly commit?: string;
}

/** Records what this work changes in a room in which nothing else is running. It gets the tree of the files that it finds. */
export async function keepSetUp<T>(
  repository: Repository,
  spec: SetUpSpec,
  work: (before: string | undefined) => Promise<T>,
  signal?: AbortSignal,
): Promise<SetUp<T>> {
  const before = await treeOfRoom(repository, spec, signal);
  const done = await work(before);
  await acceptSubmodules(repository, spec.folder);
  const after = await treeOfRoom(repository, spec, signal);
  if (before === undefined || after === undefined || before === after) return { done };
  const { base, identity, at, folder } = spec;
  const found = { tree: before, parents: [base], message: 'Before set-up', identity, at };
  const parents = [await commitTree(repository, found)];
  const commit = await commitTree(repository, { tree: after, parents, message: 'Changes by set-up', identity, at });
  await withRepositoryLock(repository, () => updateRefs(repository, [{ ref: setUpRef(folder), to: commit }]));
  return { done, commit };
}
