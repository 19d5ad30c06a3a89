/**
 * State folder: creates a project's folder below the user's state, for this user alone. A file `path` in it names the project, so
 * that a person can tell the folders apart and a moved project can be found again.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { divisiError, messageOf, systemCode } from '../base/error.ts';
import { stateFolder, stateRoot } from './places.ts';

/** Answers the folder, which exists from then on. */
export function makeStateFolder(project: string, environment: NodeJS.ProcessEnv = process.env): string {
  const folder = stateFolder(project, environment);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(pathFile(folder), `${realpathSync(project)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    if (isWrittenBefore(cause)) return folder;
    throw divisiError('LEDGER_UNWRITABLE', {
      message: `${folder} could not be created: ${messageOf(cause)}`,
      next: 'Divisi keeps its ledger there: make the folder writable, with room on the disk, or name another one in DIVISI_STATE.',
      ids: { file: folder },
      cause,
    });
  }
  return folder;
}

export const pathFile = (folder: string): string => join(folder, 'path');

/** Records where the rooms of the project are. Each new room calls it; other processes never find a file that is half written. */
export function useRoomsFolder(state: string, rooms: string): void {
  const [file, text] = [join(state, 'rooms-folder'), `${rooms}\n`];
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  const temporary = `${file}-${process.pid}`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}

/** The folder that was used last; undefined where none was. */
export async function usedRoomsFolder(state: string): Promise<string | undefined> {
  try {
    return (await readFile(join(state, 'rooms-folder'), 'utf8')).trimEnd();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The project that a room belongs to; undefined for any other folder. An agent in a room may run commands of its own. */
export function projectOfRoom(folder: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const parts = realpathSync(folder).split(sep);
  for (let at = parts.length - 3; at > 0; at -= 1) {
    const [key = '', run = '', name = ''] = parts.slice(at);
    const state = join(stateRoot(environment), 'projects', key);
    if (!/-[0-9a-f]{8}$/.test(key) || !existsSync(join(state, 'rooms', run, name))) continue;
    return readFileSync(pathFile(state), 'utf8').trimEnd();
  }
  return undefined;
}

/** A file that is only written once was there; not a file in the place of one of its folders. */
export function isWrittenBefore(error: unknown): boolean {
  return systemCode(error) === 'EEXIST' && (error as NodeJS.ErrnoException).syscall === 'open';
}
