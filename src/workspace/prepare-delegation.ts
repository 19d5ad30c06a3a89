/**
 * Creates the folders a delegation writes to, and removes an earlier attempt's report so that it is not mistaken for
 * a new one.
 */
import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { earlierReport, filesOf } from '../delegation/delegation-files.ts';
import { folderInside, isMissing } from './project-path.ts';

export interface Prepared {
  readonly run: string;
  readonly wave: number;
  readonly task: string;
  readonly delegation: string;
  readonly attempt: number;
}

export async function prepareDelegation(
  project: string,
  { run, wave, task, delegation, attempt }: Prepared,
): Promise<void> {
  const files = filesOf(run, wave, task, delegation);
  for (const path of Object.values(files)) await folderInside(project, dirname(path));
  // A file that exists before the first attempt does not belong to this task.
  if (attempt === 1) return rm(join(project, files.report), { recursive: true, force: true });
  try {
    await rename(join(project, files.report), join(project, earlierReport(files.report, attempt - 1)));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
