/** Renders the result brief of a run of any kind. */
import { rulesOf } from '../core/event/run-kind.ts';
import type { RunState } from '../core/state/state.ts';
import { backlogTaskBrief } from '../views/brief/backlog-task-brief.ts';
import { runBrief, type RunBriefOptions } from '../views/brief/run-brief.ts';
import { runReport } from '../views/run/run-report.ts';

export function briefOf(state: RunState, options: RunBriefOptions = {}): string {
  return rulesOf(state.created).hasStages ? backlogTaskBrief(state, options) : runBrief(runReport(state), options);
}
