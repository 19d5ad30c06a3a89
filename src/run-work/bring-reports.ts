/** Copies the reports that a delegation reads into its room. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Activity } from '../core/attempt/activity.ts';
import { earlierReport, filesOf, runFolder } from '../delegation/delegation-files.ts';
import { isMissing } from '../workspace/project-path.ts';

/** All of them for reviews and fixes, those of earlier attempts for work. */
export async function bringReports(project: string, directory: string, run: string, activity: Activity): Promise<void> {
  const { role, wave, task, registered } = activity;
  const { report } = filesOf(run, wave, task.id, registered.delegation);
  const earlier = Array.from({ length: registered.attempt - 1 }, (_, at) => earlierReport(report, at + 1));
  // The task of a fixer names the output of its gate's commands.
  const checks = role === 'fix' ? [`${runFolder(run)}/checks/check-${task.id.replace(/:fix.*$/, '')}`] : [];
  const paths = role === 'work' ? earlier : [`${runFolder(run)}/reports`, ...checks];
  for (const path of paths) {
    try {
      await cp(join(project, path), join(directory, path), { recursive: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
