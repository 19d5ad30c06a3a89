/**
 * Makes a room with the files of a commit: a private clone outside the user's checkout. Takes no lock, since rooms share nothing
 * that changes.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../../base/error.ts';
import type { CommitIdentity } from '../commit-tree.ts';
import { type GitPlace, git } from '../git.ts';
import type { Repository } from '../repository.ts';
import { removeLeftSeeds } from '../seed/remove-left-seeds.ts';
import { fileSettings } from './file-settings.ts';
import { writeRoomGit } from './room-git.ts';
import { copyIndex, recordFile } from './room-record.ts';
import { layOutSubmodules } from './room-submodules.ts';
import { removeRoom } from './remove-room.ts';
import { checkoutName, roomFolder } from './room-name.ts';
import { openRoomsFolder } from './rooms-folder.ts';

export interface NewRoom {
  readonly run: string;
  readonly name: string;
  readonly commit: string;
  readonly identity: CommitIdentity;
}

export interface MadeRoom {
  /** Absolute: the top of the room. */
  readonly folder: string;
  /** The project inside the room, absolute: the agent's working directory. */
  readonly directory: string;
  /** Git on the room's files, with the user's repository and an index of ours. */
  readonly place: GitPlace & { readonly index: string };
}

/** Removes what an earlier attempt left under the same name; a failure leaves nothing behind. */
export async function makeRoom(
  repository: Repository,
  { run, name, commit, identity }: NewRoom,
  signal?: AbortSignal,
): Promise<MadeRoom> {
  const { environment, gitDir, prefix } = repository;
  const folder = roomFolder(repository, run, name);
  await removeRoom(repository, { folder });
  try {
    // Seeds are a cache: what cannot be removed holds nothing up.
    await removeLeftSeeds(repository).catch(() => {});
    await openRoomsFolder(repository);
    await makeFolder(folder);
    await writeRoomGit(repository, { folder, commit, identity, settings: await fileSettings(repository) });
    const index = await recordFile(repository, folder, 'index');
    const place = { environment, gitDir, workTree: folder, directory: folder, index, signal };
    await git(place, ['read-tree', '--reset', '-u', '--end-of-options', commit]);
    await copyIndex(index, join(folder, '.git/index'));
    await layOutSubmodules(repository, { folder, place }, identity);
    const directory = join(folder, prefix);
    await mkdir(directory, { recursive: true });
    return { folder, directory: directory.replace(/\/$/, ''), place };
  } catch (error) {
    await removeRoom(repository, { folder }).catch(() => {});
    throw error;
  }
}

/** Tried again where the last other room of the run is removed at this moment, and the run's folder with it. */
async function makeFolder(folder: string, tries = 20): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (tries <= 1 || !['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
    await makeFolder(folder, tries - 1);
  }
}

/** For inspecting merged work; `removeRoom` removes it. */
export async function openCheckout(
  repository: Repository,
  { name, ...room }: NewRoom,
  signal?: AbortSignal,
): Promise<Pick<MadeRoom, 'folder' | 'directory'>> {
  const { folder, directory } = await makeRoom(repository, { ...room, name: checkoutName(name) }, signal);
  return { folder, directory };
}
