/** Plan changes: the marks, reports, log and files that a run writes into its plan. The rest of the plan is its author's. */
import { defined } from '../../base/defined.ts';
import { flatten } from '../../base/text.ts';
import { verdictIn } from '../../core/event/judgement.ts';
import { isReview } from '../../core/event/role.ts';
import { isHeldByEdit } from '../../core/state/hold.ts';
import type { RunEvent } from '../../core/event/event.ts';
import type { RunState, RunStatus, WaveState } from '../../core/state/state.ts';
import type { PlanChanges } from '../../plan/edit-plan.ts';
import type { PlanState } from '../../plan/plan-name.ts';
import type { Mark } from '../../plan/plan.ts';
import { taskMark, mergedFiles } from '../run/task-report.ts';
import type { ProgressLines } from '../run/progress-lines.ts';

export function planState(status: RunStatus): PlanState {
  return status === 'planning' || status === 'running' ? 'inprogress' : status;
}

function waveWord({ status }: WaveState): 'pending' | 'in_progress' | 'completed' | 'failed' {
  switch (status) {
    case 'running':
    case 'reviewing':
    case 'fixing':
      return 'in_progress';
    case 'pending':
    case 'completed':
    case 'failed':
      return status;
    default:
      return status satisfies never;
  }
}

export function planChanges(state: RunState, log: readonly string[]): PlanChanges {
  const marks = new Map<string, Mark>();
  const reports = new Map<string, string>();
  const files = new Set<string>();
  for (const [id, task] of state.tasks) {
    // A person's tick stays while its checkpoint is open.
    if (!isHeldByEdit(state, id)) marks.set(id, taskMark(state, task));
    const outcome = 'outcome' in task.progress ? task.progress.outcome : undefined;
    if (outcome?.report !== undefined) reports.set(id, outcome.report);
  }
  for (const task of [...state.tasks.values(), ...state.gateTasks.values()])
    for (const file of mergedFiles(state, task)) files.add(file);
  return {
    marks,
    reports,
    log,
    files: [...files],
    state: planState(state.status),
    waves: new Map(state.waves.map((wave) => [wave.inPlan, waveWord(wave)])),
    checkpoints: passedCheckpoints(state),
    audits: auditsOf(state),
    deferred: [...state.findings.values()].map(({ id, action, report, isFixed }) => {
      return { id, text: report === undefined ? action : `${action} (${report})`, isFixed };
    }),
  };
}

/** The verdict of each review, in the reviewer's words. */
function auditsOf({ gateTasks, waves }: RunState): NonNullable<PlanChanges['audits']> {
  return [...gateTasks.values()].flatMap(({ planned: { id }, role, progress, wave }) => {
    if (!isReview(role) || progress.status !== 'completed' || progress.outcome === undefined) return [];
    const verdict = verdictIn(progress.outcome);
    if (verdict === null || verdict === 'review') return [];
    const { report } = progress.outcome;
    const text = `${verdict.priority} ${verdict.action}${report === undefined ? '' : ` (${report})`}`;
    return [{ id, text, ...defined({ wave: waves[wave - 1]?.inPlan }) }];
  });
}

function passedCheckpoints({ checkpoints, waves }: RunState): ReadonlySet<number> {
  const passed = checkpoints.flatMap((one) =>
    one.kind === 'planned' && one.status === 'approved' ? [one.afterWave] : [],
  );
  return new Set(passed.map((wave) => waves[wave - 1]?.inPlan ?? wave));
}

/** The log records ends, not starts. */
const unlogged = new Set<RunEvent['kind']>(['delegation.registered', 'task.added', 'clock.reached']);

export function logLine(event: RunEvent, state: RunState, lines: ProgressLines): string | undefined {
  const line = lines(event, state);
  if (line === undefined || unlogged.has(event.kind)) return undefined;
  return `${new Date(event.at).toISOString().slice(0, 19)}Z ${flatten(line)}`;
}
