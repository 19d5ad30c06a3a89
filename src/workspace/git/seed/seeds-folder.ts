/**
 * Seeds folder: lists and removes the seeds of a project. They lie beside its rooms, on the same file system, in a folder whose name no
 * room can have. A seed is complete or not there: it is made under another name and renamed.
 */
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../../base/error.ts';
import { isAliveHere, ownIdentity } from '../../../process/identity.ts';
import { isMissing } from '../../project-path.ts';
import { randomName } from '../../random-name.ts';
import { fileNamesIn } from '../file-names.ts';
import type { Repository } from '../repository.ts';
import { removeAll } from '../room/remove-room.ts';
import { openRoomsFolder } from '../room/rooms-folder.ts';
import { readSeedRecord, type SeedRecord, writeSeedRecord } from './seed-record.ts';

export interface Seed {
  readonly key: string;
  /** Absolute. */
  readonly folder: string;
  readonly record: SeedRecord;
}

type Rooms = Pick<Repository, 'rooms'>;

/** A project keeps this many, used last, and no more bytes than this. */
const most = { seeds: 3, bytes: 20 * 1024 ** 3 };

export const seedsFolder = ({ rooms }: Rooms): string => join(rooms, '.seeds');

/** Absolute: the files of a seed, as they lie in a room. */
export const seedFiles = (folder: string): string => join(folder, 'files');

export async function findSeed(repository: Rooms, key: string): Promise<Seed | undefined> {
  const folder = join(seedsFolder(repository), key);
  const record = await readSeedRecord(folder);
  return record && { key, folder, record };
}

/** The seed for rooms with these keys, or the record that there is none for a reason. */
export async function seedFor(
  repository: Rooms,
  { install, sources }: { readonly install?: string; readonly sources: string },
): Promise<Seed | undefined> {
  const found = install === undefined ? undefined : await findSeed(repository, install);
  return found ?? findSeed(repository, sources);
}

/** The one used last comes first. Includes records of set-ups whose result is not kept; these have no bytes. */
export async function listSeeds(repository: Rooms): Promise<Seed[]> {
  const names = (await fileNamesIn(seedsFolder(repository))).filter((name) => !name.startsWith('.'));
  const found = await Promise.all(names.map((key) => findSeed(repository, key)));
  return found.filter((seed) => seed !== undefined).toSorted((one, other) => other.record.usedAt - one.record.usedAt);
}

/** Safe while another process copies from it: that copy fails, and set-up runs instead. */
async function removeSeed(repository: Rooms, { folder }: Pick<Seed, 'folder'>): Promise<void> {
  const gone = join(seedsFolder(repository), `.gone-${randomName()}`);
  try {
    await rename(folder, gone);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await removeAll(gone);
}

/** The seeds beyond those that a project keeps. */
function surplusSeeds(seeds: readonly Seed[]): Seed[] {
  let bytes = 0;
  const count = { kept: 0, refused: 0 };
  return seeds.filter(({ record }) => {
    const kind = record.why === undefined ? 'kept' : 'refused';
    bytes += record.bytes;
    count[kind] += 1;
    return count[kind] > most.seeds || bytes > most.bytes;
  });
}

/** Removes surplus seeds, and what processes that are gone have left. */
export async function tidySeeds(repository: Rooms): Promise<void> {
  for (const name of await fileNamesIn(seedsFolder(repository))) {
    if (name.startsWith('.') && !isBeingMade(name)) await removeAll(join(seedsFolder(repository), name));
  }
  for (const seed of surplusSeeds(await listSeeds(repository))) await removeSeed(repository, seed);
}

/** Sets the result of a set-up aside for good: rooms with this key are set up one by one. */
export async function refuseSeed(repository: Rooms, seed: Seed, why: string): Promise<void> {
  await writeSeedRecord(seed.folder, { ...seed.record, files: 0, bytes: 0, why });
  await removeAll(seedFiles(seed.folder));
}

/** Creates a folder to make a seed in; it names this process. */
export async function newSeedFolder(repository: Repository): Promise<string> {
  await openRoomsFolder(repository);
  const { pid, started } = ownIdentity('');
  const folder = join(seedsFolder(repository), `.making-${pid}-${started}-${randomName()}`);
  await mkdir(seedFiles(folder), { recursive: true, mode: 0o700 });
  return folder;
}

/** Gives a finished seed its name, unless another process was first. */
export async function finishSeed(repository: Rooms, folder: string, key: string): Promise<void> {
  try {
    await rename(folder, join(seedsFolder(repository), key));
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes(systemCode(error) ?? '')) throw error;
  }
}

function isBeingMade(name: string): boolean {
  const [, pid, started = ''] = /^\.making-(\d+)-(\d*)-/.exec(name) ?? [];
  return pid !== undefined && isAliveHere({ ...ownIdentity(''), pid: Number(pid), started });
}
