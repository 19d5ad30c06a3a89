/**
 * Rooms folder: finds and creates the folder with the rooms of a project. Another user of the machine must not be able to prepare
 * it, because agents' programs run in it.
 */
import { lstatSync } from 'node:fs';
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { divisiError } from '../../../base/error.ts';
import { isOwnAlone } from '../../own-alone.ts';
import { isMissing } from '../../project-path.ts';
import { makeStateFolder, useRoomsFolder } from '../../state-folder.ts';
import type { Repository } from '../repository.ts';

/** Creates it if missing; refuses one that is a symlink, or that another user owns or may write to. */
export async function openRoomsFolder({ rooms, project, environment }: Repository): Promise<void> {
  const state = makeStateFolder(project, environment);
  for (const folder of [dirname(rooms), rooms]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const facts = await lstat(folder);
    if (facts.isDirectory() && isOwnAlone(facts)) continue;
    throw divisiError('WORKSPACE_UNSUPPORTED', {
      message: `${folder} cannot hold rooms: it must be a folder that is yours and that only you can write to`,
      next: `Fix it (chmod go-w, chown), or set DIVISI_ROOMS to another folder.`,
      ids: { folder },
    });
  }
  useRoomsFolder(state, rooms);
}

/** The room that a folder lies in. */
export function roomAround({ rooms }: Pick<Repository, 'rooms'>, directory: string): string {
  const folder = join(rooms, ...relative(rooms, directory).split(sep).slice(0, 2));
  if (!isRoomPath({ rooms }, folder)) throw new Error(`${directory} is not in a room of this project`);
  return folder;
}

/** Whether a path has the form of a room of this project. */
export function isRoomPath({ rooms }: Pick<Repository, 'rooms'>, folder: string): boolean {
  const [run, name] = [basename(dirname(folder)), basename(folder)];
  return (
    folder === join(rooms, run, name) && !run.startsWith('.') && !name.startsWith('.') && run !== '' && name !== ''
  );
}

/** The room's real path; undefined if there is none, or if its path leads elsewhere through a symlink. */
export async function realRoom(repository: Pick<Repository, 'rooms'>, folder: string): Promise<string | undefined> {
  if (!isRoomPath(repository, folder)) return undefined;
  try {
    const parent = await realpath(dirname(folder));
    return dirname(parent) === (await realpath(repository.rooms)) ? join(parent, basename(folder)) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A folder of this user, and no symlink to one. */
export function isRealFolder(path: string): boolean {
  try {
    const facts = lstatSync(path);
    return facts.isDirectory() && (process.getuid === undefined || facts.uid === process.getuid());
  } catch {
    return false;
  }
}

/** It has the form of the folder of one project: never that of all of them. */
export function isRoomsFolder(path: string): boolean {
  return /.-[0-9a-f]{8}$/.test(basename(path)) && isRealFolder(path);
}
