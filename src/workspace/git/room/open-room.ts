/**
 * Opens the room of a task for one attempt, from the head of the run's branch. An attempt that continues the work of the one before
 * gets the same folder: as it was if the branch has not moved, else made anew with that work on top.
 */
import { join } from 'node:path';
import { defined } from '../../../base/defined.ts';
import type { RoomFacts } from '../../../core/event/verification.ts';
import { type MadeRoom, makeRoom } from './make-room.ts';
import type { SizeLimits } from './refuse-large.ts';
import { branchHead, treeOf } from '../commit-of.ts';
import type { CommitIdentity } from '../commit-tree.ts';
import { failedGit, git } from '../git.ts';
import { mergeTrees } from '../merge/merge-trees.ts';
import { type Provision, provide } from './provide.ts';
import { removeRoom, setRoomAside } from './remove-room.ts';
import type { Repository } from '../repository.ts';
import { type RoomSnapshot, snapshotRoom } from './snapshot-room.ts';
import { assignRoom, borrowsFrom, copyIndex, isRoomOf } from './room-record.ts';
import { attemptBranch, attemptName, taskRoom } from './room-name.ts';

/** An earlier attempt at the same task, whose work the new one continues. */
export interface EarlierAttempt {
  readonly room: Pick<RoomFacts, 'folder' | 'branch' | 'base' | 'setUp'>;
  /** It was made with the settings of the new attempt: its set-up still holds. */
  readonly isCurrent?: boolean;
  /** As for `snapshotRoom`, if its files still exist. */
  readonly exclude: readonly string[];
  readonly size?: SizeLimits | undefined;
  readonly identity: CommitIdentity;
  readonly at: number;
}

export interface RoomSpec extends Provision {
  readonly run: string;
  readonly task: string;
  readonly attempt: number;
  /** The run's branch. */
  readonly branch: string;
  readonly identity: CommitIdentity;
  readonly carry?: EarlierAttempt;
}

export interface OpenedRoom extends RoomFacts {
  /** The project inside the room, absolute. */
  readonly directory: string;
  /** The room is as the earlier attempt left it: set-up has been done. */
  readonly isWarm: boolean;
}

export async function openRoom(repository: Repository, spec: RoomSpec, signal?: AbortSignal): Promise<OpenedRoom> {
  const base = await branchHead(repository, spec.branch);
  if (base === undefined) throw failedGit('rev-parse', { code: 1, stderr: `there is no branch ${spec.branch}` });
  const { run, task, attempt, carry, identity } = spec;
  const opened = { branch: attemptBranch(run, attemptName(task, attempt)), base };
  const earlier = carry && (await earlierWork(repository, carry, signal));
  if (carry !== undefined && earlier?.isUsable === true && carry.isCurrent !== false && carry.room.base === base) {
    const { folder, setUp } = carry.room;
    await assignRoom(repository, folder, opened.branch);
    const directory = join(folder, repository.prefix).replace(/\/$/, '');
    return { ...opened, folder, directory, isWarm: true, ...defined({ carried: earlier.commit, setUp }) };
  }
  const left = earlier?.commit;
  if (carry !== undefined && earlier?.refused !== undefined) await setRoomAside(repository, carry.room);
  const made = await makeRoom(repository, { run, name: taskRoom(task), commit: base, identity }, signal);
  const { folder, directory } = made;
  try {
    await assignRoom(repository, folder, opened.branch);
    const carried = left !== undefined && (await layOut(repository, made, base, left));
    await provide(repository.project, directory, spec);
    return { ...opened, folder, directory, isWarm: false, ...(carried ? { carried: left } : {}) };
  } catch (error) {
    await removeRoom(repository, { folder }).catch(() => {});
    throw error;
  }
}

interface EarlierWork extends Pick<RoomSnapshot, 'commit' | 'refused'> {
  /** The room has its files, and another attempt can work in it. */
  readonly isUsable: boolean;
}

/** The commit of the earlier attempt's work: its files if the room still has them, else its branch. */
async function earlierWork(
  repository: Repository,
  { room, ...snapshot }: EarlierAttempt,
  signal: AbortSignal | undefined,
): Promise<EarlierWork> {
  const spec = { ...snapshot, ...room, message: 'Work of an earlier attempt' };
  const isThere = await isRoomOf(repository, room.folder, room.branch);
  const found = isThere ? await snapshotRoom(repository, spec, signal) : undefined;
  if (found !== undefined) {
    return { ...found, isUsable: found.refused === undefined && (await borrowsFrom(repository, room.folder)) };
  }
  const head = await branchHead(repository, room.branch);
  return { isUsable: false, ...(head === undefined || head === room.base ? {} : { commit: head }) };
}

/** Writes earlier work to the files, not to the index; false if it conflicts with the base. */
async function layOut(
  repository: Repository,
  { place, folder }: MadeRoom,
  base: string,
  earlier: string,
): Promise<boolean> {
  const merged = await mergeTrees(repository, base, earlier);
  if (merged.kind === 'conflict') return false;
  if (merged.tree === (await treeOf(repository, base))) return false;
  await git(place, ['read-tree', '-m', '-u', '--end-of-options', base, merged.tree]);
  await copyIndex(join(folder, '.git/index'), place.index);
  return true;
}
