/** Writes the logs for people below `.divisi/`, one process at a time. */
import { basename, join } from 'node:path';
import { withFileLock } from '../ledger/file-lock.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { folderInside } from '../workspace/project-path.ts';
import { ledgerFile } from '../workspace/places.ts';

/** Several runs may end at the same moment. `file` is relative to the project. */
export async function inTurn(project: string, file: string, work: () => Promise<void>): Promise<void> {
  return withFileLock(`${ledgerFile(project)}.${basename(file)}`, work);
}

export async function writeLog(project: string, file: string, text: string): Promise<void> {
  await writeAtomically(join(await folderInside(project, '.divisi'), basename(file)), text);
}
