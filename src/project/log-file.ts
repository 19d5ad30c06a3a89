/** Writes the logs for people below `.divisi/`, one process at a time. */
import { basename, join } from 'node:path';
import { withFileLock } from '../ledger/file-lock.ts';
import { writePrivately } from '../workspace/atomic-file.ts';
import { folderInside } from '../workspace/project-path.ts';
import { makeStateFolder } from '../workspace/state-folder.ts';

export interface LogPlace {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Several runs may end at the same moment. */
export async function inTurn(
  { project, environment }: LogPlace,
  file: string,
  work: () => Promise<void>,
): Promise<void> {
  return withFileLock(join(makeStateFolder(project, environment), `${basename(file)}.lock`), work);
}

export async function writeLog(project: string, file: string, text: string): Promise<void> {
  await writePrivately(join(await folderInside(project, '.divisi'), basename(file)), text);
}
