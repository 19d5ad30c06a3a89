/** Reads the report of a task, as it was returned. Does not follow a symlink out of the project. */
import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import { divisiError } from '../base/error.ts';
import type { Outcome } from '../core/event/outcome.ts';
import { readInside } from '../workspace/project-path.ts';
import { stateFolder } from '../workspace/places.ts';
import { filesOf } from '../delegation/delegation-files.ts';
import type { RunTask } from './find-run.ts';

export interface TaskReportText {
  /** Relative to the project; absolute where the file in the project is no longer what was returned. */
  readonly path: string;
  readonly text: string;
  readonly outcome?: Outcome;
}

/** Refuses (TASK_UNKNOWN) a task without a report. */
export async function readReport(project: string, { row, task }: RunTask): Promise<TaskReportText> {
  const { id } = task.planned;
  const outcome = 'outcome' in task.progress ? task.progress.outcome : undefined;
  // A renamed task has its report under its earlier name.
  const path = outcome?.report ?? filesOf(row.run, task.wave, id, '').report;
  const text = await readInside(project, path);
  const state = stateFolder(project);
  const { keptReport } = filesOf(row.run, task.wave, id, task.attempt?.delegation ?? '');
  const kept = outcome?.report === undefined ? undefined : await readInside(state, keptReport);
  if (kept !== undefined && kept !== text)
    return { path: join(state, keptReport), text: kept, ...defined({ outcome }) };
  if (text !== undefined) return { path, text, ...defined({ outcome }) };
  throw divisiError('TASK_UNKNOWN', {
    message: `task ${id} has no report (it is ${task.progress.status})`,
    next: `\`divisi logs ${row.run}/${id}\` shows its agent's output.`,
    ids: { run: row.run, task: id, file: path },
  });
}
