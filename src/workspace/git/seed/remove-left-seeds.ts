/**
 * Removes the seeds in the rooms folder that a project leaves: after `divisi adopt`, or with another folder for rooms, nothing would
 * find them again. Leaves a folder with rooms, and one that another project uses.
 */
import { readdir, rename, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { usedRoomsFolder } from '../../state-folder.ts';
import { randomName } from '../../random-name.ts';
import type { Repository } from '../repository.ts';
import { removeAll } from '../room/remove-room.ts';
import { isRealFolder, isRoomsFolder } from '../room/rooms-folder.ts';
import { seedsFolder } from './seeds-folder.ts';

/** Called before the new folder is recorded, so that the next call finishes what a killed process began. */
export async function removeLeftSeeds({ rooms, state }: Pick<Repository, 'rooms' | 'state'>): Promise<void> {
  const left = await usedRoomsFolder(state);
  if (left === undefined || left === rooms || !isRoomsFolder(left)) return;
  const names = await readdir(left);
  if (names.some((name) => !name.startsWith('.')) || (await isUsedByAnother(left, state))) return;
  const seeds = seedsFolder({ rooms: left });
  // Renamed first: a process that still copies from a seed notices that it is gone.
  if (names.includes(basename(seeds))) await rename(seeds, `${seeds}-gone-${randomName()}`);
  for (const name of await readdir(left))
    if (name.startsWith(`${basename(seeds)}-gone-`)) await removeAll(join(left, name));
  await rmdir(left);
}

async function isUsedByAnother(left: string, state: string): Promise<boolean> {
  const projects = dirname(state);
  const others = (await readdir(projects)).map((name) => join(projects, name)).filter((path) => path !== state);
  for (const other of others) if (isRealFolder(other) && (await usedRoomsFolder(other)) === left) return true;
  return false;
}
