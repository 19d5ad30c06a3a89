/** What a run changes in its plan: marks, reports, the log, the files. Everything else in the plan is its writer's. */
import { flatten } from '../contracts/flatten.ts';
import type { RunEvent } from '../core/event.ts';
import type { RunState, RunStatus, TaskProgress } from '../core/state.ts';
import type { PlanChanges } from '../plan/edit-plan.ts';
import type { PlanState } from '../plan/plan-name.ts';
import type { Mark } from '../plan/plan.ts';
import type { ProgressLines } from './progress-lines.ts';

/** A task that was skipped is as open as before: it runs when what it depends on has completed. */
export function markOf(status: TaskProgress['status']): Mark {
  switch (status) {
    case 'pending':
    case 'skipped':
      return ' ';
    case 'running':
    case 'repairing':
    case 'ended':
      return '~';
    case 'completed':
      return 'x';
    case 'partial':
    case 'failed':
    case 'blocked':
      return '!';
    default:
      return status satisfies never;
  }
}

export function planState(status: RunStatus): PlanState {
  return status === 'planning' || status === 'running' ? 'inprogress' : status;
}

const waveWords = { pending: 'pending', running: 'in_progress', completed: 'completed', failed: 'failed' } as const;

export function planChanges(state: RunState, log: readonly string[]): PlanChanges {
  const marks = new Map<string, Mark>();
  const reports = new Map<string, string>();
  const files = new Set<string>();
  for (const [id, task] of state.tasks) {
    marks.set(id, markOf(task.progress.status));
    const outcome = 'outcome' in task.progress ? task.progress.outcome : undefined;
    if (outcome?.report !== undefined) reports.set(id, outcome.report);
    for (const file of outcome?.files ?? []) files.add(file);
  }
  return {
    marks,
    reports,
    log,
    files: [...files],
    state: planState(state.status),
    waves: new Map(state.waves.map(({ inPlan, status }) => [inPlan, waveWords[status]])),
    checkpoints: new Set(
      state.checkpoints.flatMap(({ status, afterWave }) =>
        status === 'approved' ? [state.waves[afterWave - 1]?.inPlan ?? afterWave] : [],
      ),
    ),
  };
}

/** Beginnings are not news once there is an end. */
const unlogged = new Set<RunEvent['kind']>(['delegation.registered', 'plan.changed']);

/** One line for the plan's execution log, or none. */
export function logLine(event: RunEvent, state: RunState, lines: ProgressLines): string | undefined {
  const line = lines(event, state);
  if (line === undefined || unlogged.has(event.kind)) return undefined;
  return `${new Date(event.at).toISOString().slice(0, 19)}Z ${flatten(line)}`;
}
