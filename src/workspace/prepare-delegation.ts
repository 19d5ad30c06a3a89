/**
 * Creates the folders a delegation writes to, and removes an earlier attempt's report so that it is not mistaken for
 * a new one.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { earlierReport, filesOf } from '../delegation/delegation-files.ts';
import { folderInside, isMissing } from './project-path.ts';
import { makeStateFolder } from './state-folder.ts';

export interface DelegationPlace {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface Prepared {
  readonly run: string;
  readonly wave: number;
  readonly task: string;
  readonly delegation: string;
  readonly attempt: number;
}

export async function prepareDelegation(
  { project, environment }: DelegationPlace,
  { run, wave, task, delegation, attempt }: Prepared,
): Promise<void> {
  const files = filesOf(run, wave, task, delegation);
  for (const path of [files.report, files.worklog]) await folderInside(project, dirname(path));
  const state = makeStateFolder(project, environment);
  for (const path of [files.output, files.transcript])
    await mkdir(join(state, dirname(path)), { recursive: true, mode: 0o700 });
  // A file that exists before the first attempt does not belong to this task.
  if (attempt === 1) return rm(join(project, files.report), { recursive: true, force: true });
  try {
    await rename(join(project, files.report), join(project, earlierReport(files.report, attempt - 1)));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
