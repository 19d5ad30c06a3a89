/** Fills a new room from a seed, in place of its set-up. */
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersOf } from '../../../base/paths.ts';
import { isMissing } from '../../project-path.ts';
import type { Repository } from '../repository.ts';
import { removeAll } from '../room/remove-room.ts';
import { recordFile, recordFolder } from '../room/room-record.ts';
import { copyFiles } from './copy-files.ts';
import { writeSeedRecord } from './seed-record.ts';
import { findSeed, type Seed, seedFiles } from './seeds-folder.ts';

/** In the record of a room: the key of the seed that filled it. */
const recordName = 'seed';

/** How long a record of the last use is good enough, in milliseconds. */
const freshness = 60_000;

/** False if the room must be set up instead: it has a file in the way, or the seed was removed or refused meanwhile. */
export async function useSeed(
  repository: Repository,
  { key, folder, record }: Seed,
  room: string,
  signal?: AbortSignal,
): Promise<boolean> {
  if (record.why !== undefined) return false;
  for (const path of record.untracked) if (!(await isFree(room, path))) return false;
  const began = performance.now();
  const isCopied = await copyFiles(seedFiles(folder), room, repository.environment, signal).then(
    () => true,
    () => false,
  );
  // Files of a seed that was removed or refused during the copy may be missing from it, without an error.
  const current = isCopied ? (await findSeed(repository, key))?.record : undefined;
  if (current === undefined || current.why !== undefined) {
    for (const path of record.untracked) await removeAll(join(room, path));
    signal?.throwIfAborted();
    return false;
  }
  await writeFile(await recordFile(repository, room, recordName), key);
  const [copy, now] = [Math.round(performance.now() - began), Date.now()];
  if (current.copy !== undefined && now - current.usedAt < freshness) return true;
  // The seed may be gone by now; the room has its files.
  await writeSeedRecord(folder, { ...current, copy, usedAt: now }).catch(() => {});
  return true;
}

/** Whether a seed that was refused since has filled the room. */
export async function isFromRefusedSeed(repository: Repository, room: string): Promise<boolean> {
  try {
    const key = await readFile(join(recordFolder(repository, room), recordName), 'utf8');
    return (await findSeed(repository, key))?.record.why !== undefined;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Nothing is there yet, and no folder above it is a symlink, which could lead out of the room. */
async function isFree(room: string, path: string): Promise<boolean> {
  for (const folder of foldersOf(path)) {
    const facts = await factsOf(join(room, folder));
    if (facts === undefined) return true;
    if (!facts.isDirectory()) return false;
  }
  return (await factsOf(join(room, path))) === undefined;
}

async function factsOf(path: string): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
