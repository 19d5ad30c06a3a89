/**
 * State folder: creates a project's folder below the user's state, for this user alone. A file `path` in it names the project, so
 * that a person can tell the folders apart and a moved project can be found again.
 */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { divisiError, messageOf, systemCode } from '../base/error.ts';
import { stateFolder } from './places.ts';

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

/** A file that is only written once was there; not a file in the place of one of its folders. */
export function isWrittenBefore(error: unknown): boolean {
  return systemCode(error) === 'EEXIST' && (error as NodeJS.ErrnoException).syscall === 'open';
}
