/**
 * Removes rooms, including those that a crash or an agent left incomplete. Only ever removes what is in the project's own rooms
 * folder.
 */
import { chmod, lstat, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../../base/error.ts';
import { isMissing } from '../../project-path.ts';
import { gitText } from '../git.ts';
import { checkedOutRefs } from '../history.ts';
import { type Repository, shared, withRepositoryLock } from '../repository.ts';
import { updateRefs } from '../update-refs.ts';
import { fileNamesIn } from '../file-names.ts';
import { releaseRoom } from './room-claims.ts';
import { recordFolder } from './room-record.ts';
import { setAsideName, setUpRef, shortRun } from './room-name.ts';
import { isRoomPath, realRoom } from './rooms-folder.ts';
import { tearDown } from './tear-down.ts';

export interface Removal {
  /** The room, absolute. */
  readonly folder: string;
  /** Receives the failures of teardown commands, which hold nothing up. */
  readonly warn?: (error: Error) => void;
}

/** May be repeated, and called when the room is already gone. */
export async function removeRoom(repository: Repository, { folder, warn = () => {} }: Removal): Promise<void> {
  if (!isRoomPath(repository, folder)) throw new Error(`${folder} is not a room of this project`);
  await tearDown(repository, folder, warn);
  const at = await realRoom(repository, folder);
  if (at !== undefined) await removeFiles(at);
  await removeAll(recordFolder(repository, folder));
  await releaseRoom(repository, folder);
  // Fails while the run has other rooms.
  await rmdir(dirname(folder)).catch(() => {});
}

/** Keeps a room whose files git refuses, under another name; its programs end. */
export async function setRoomAside(
  repository: Repository,
  { folder, branch }: { readonly folder: string; readonly branch: string },
): Promise<void> {
  await tearDown(repository, folder, () => {});
  const at = await realRoom(repository, folder);
  if (at !== undefined) await rename(at, join(dirname(at), setAsideName(basename(branch))));
}

/**
 * Deletes branches of attempts, and the refs that keep what set-up changed in these rooms. Returns the branches that stay because
 * they are checked out.
 */
export async function removeRefs(
  repository: Repository,
  { branches, rooms = [] }: { readonly branches: readonly string[]; readonly rooms?: readonly string[] },
): Promise<string[]> {
  const refs = branches.map(ownRef);
  return withRepositoryLock(repository, async () => {
    const inUse = await checkedOutRefs(repository);
    const gone = [...refs.filter((ref) => !inUse.has(ref)), ...rooms.map(setUpRef)];
    await updateRefs(
      repository,
      gone.map((ref) => ({ ref })),
    );
    return branches.filter((branch) => inUse.has(ownRef(branch)));
  });
}

/** Deletes what is kept about the set-up of a run's rooms, whether the rooms are there or not. */
export async function removeSetUpRefs(repository: Repository, run: string): Promise<void> {
  const below = ['for-each-ref', '--format=%(refname)', `refs/divisi/set-up/${shortRun(run)}/`];
  await withRepositoryLock(repository, async () => {
    const refs = (await gitText(shared(repository), below)).split('\n').filter((ref) => ref !== '');
    await updateRefs(
      repository,
      refs.map((ref) => ({ ref })),
    );
  });
}

function ownRef(branch: string): string {
  if (!/^divisi(?:-task)?\/./.test(branch)) throw new Error(`not a Divisi branch: ${branch}`);
  return `refs/heads/${branch}`;
}

export interface RoomOnDisk {
  /** The last 8 characters of the run's id. */
  readonly shortRun: string;
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
}

export async function listRooms({ rooms }: Pick<Repository, 'rooms'>): Promise<RoomOnDisk[]> {
  const all: RoomOnDisk[] = [];
  for (const shortRun of (await fileNamesIn(rooms)).filter(isOfRooms)) {
    for (const name of await fileNamesIn(join(rooms, shortRun))) {
      all.push({ shortRun, name, folder: join(rooms, shortRun, name) });
    }
  }
  return all;
}

/** Seeds lie beside the rooms, in a folder whose name begins with a dot. */
const isOfRooms = (name: string): boolean => !name.startsWith('.');

/** Renamed first, so that what a crash leaves is not mistaken for a room in which an agent deleted files. */
async function removeFiles(folder: string): Promise<void> {
  const goes = `${folder}_gone`;
  await removeAll(goes);
  try {
    await rename(folder, goes);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await removeAll(goes);
}

/** Read-only folders are common: module caches create them. */
export async function removeAll(folder: string): Promise<void> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, maxRetries: 5, retryDelay: 20 });
  try {
    await remove();
  } catch (error) {
    if (isMissing(error)) return;
    if (!['EACCES', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
    await makeWritable(folder);
    await remove();
  }
}

async function makeWritable(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}
