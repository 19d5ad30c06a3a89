/** The brief of a run as this server gives it, whatever kind of run it is. */
import type { RunState } from '../core/state.ts';
import { readLedger } from '../scheduler/project-ledger.ts';
import { numberedTaskBrief } from '../views/numbered-task-brief.ts';
import { runBrief, type RunBriefOptions } from '../views/run-brief.ts';
import { runReport } from '../views/run-report.ts';
import type { Place } from './place.ts';

export function briefOf({ project }: Place, state: RunState, options: RunBriefOptions = {}): string {
  const { workflow } = state.created;
  if (workflow?.kind !== 'command') return runBrief(runReport(state), options);
  const ledger = readLedger(project);
  try {
    const task = ledger.book.task(workflow.number);
    return numberedTaskBrief(state, workflow, { ...options, ...(task === null ? {} : { taskStatus: task.status }) });
  } finally {
    ledger.close();
  }
}
