/**
 * Removes rooms, including those that a crash or an agent left incomplete. Only ever removes what is in the project's own rooms
 * folder.
 */
import { chmod, lstat, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../../base/error.ts';
import { isMissing } from '../../project-path.ts';
import { git, gitText } from '../git.ts';
import { checkedOutRefs } from '../history.ts';
import { type Repository, shared, withRepositoryLock } from '../repository.ts';
import { fileNamesIn } from '../file-names.ts';
import { recordFolder } from './room-record.ts';
import { setAsideName, setUpRef, shortRun } from './room-name.ts';
import { isRoomPath, realRoom } from './rooms-folder.ts';

export interface Removal {
  /** The room, absolute. */
  readonly folder: string;
  /** A branch to delete as well. */
  readonly alsoBranch?: string;
}

/**
 * May be repeated, and called when the room is already gone. False if the branch stays because it is checked out.
 */
export async function removeRoom(repository: Repository, { folder, alsoBranch }: Removal): Promise<boolean> {
  if (!isRoomPath(repository, folder)) throw new Error(`${folder} is not a room of this project`);
  const at = await realRoom(repository, folder);
  if (at !== undefined) await removeFiles(at);
  await removeAll(recordFolder(repository, folder));
  // Fails while the run has other rooms.
  await rmdir(dirname(folder)).catch(() => {});
  if (alsoBranch === undefined) return true;
  return (await removeRefs(repository, { branches: [alsoBranch], rooms: [folder] })).length === 0;
}

/** Keeps a room whose files git refuses, under another name. */
export async function setRoomAside(
  repository: Repository,
  { folder, branch }: { readonly folder: string; readonly branch: string },
): Promise<void> {
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
    const input = gone.map((ref) => `delete ${ref}\0\0`).join('');
    if (gone.length > 0) await git(shared(repository), ['update-ref', '--stdin', '-z'], { input });
    return branches.filter((branch) => inUse.has(ownRef(branch)));
  });
}

/** Deletes what is kept about the set-up of a run's rooms, whether the rooms are there or not. */
export async function removeSetUpRefs(repository: Repository, run: string): Promise<void> {
  const below = ['for-each-ref', '--format=delete %(refname)', `refs/divisi/set-up/${shortRun(run)}/`];
  await withRepositoryLock(repository, async () => {
    const input = await gitText(shared(repository), below);
    if (input !== '') await git(shared(repository), ['update-ref', '--stdin'], { input: `${input}\n` });
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
  for (const shortRun of await fileNamesIn(rooms)) {
    for (const name of await fileNamesIn(join(rooms, shortRun))) {
      all.push({ shortRun, name, folder: join(rooms, shortRun, name) });
    }
  }
  return all;
}

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
async function removeAll(folder: string): Promise<void> {
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
