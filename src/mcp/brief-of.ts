/** The brief of a run as this server gives it, whatever kind of run it is. */
import type { RunState } from '../core/state.ts';
import { numberedTaskBrief } from '../views/numbered-task-brief.ts';
import { runBrief, type RunBriefOptions } from '../views/run-brief.ts';
import { runReport } from '../views/run-report.ts';

export function briefOf(state: RunState, options: RunBriefOptions = {}): string {
  return state.created.workflow?.kind === 'command'
    ? numberedTaskBrief(state, options)
    : runBrief(runReport(state), options);
}
