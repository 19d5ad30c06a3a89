/** Finds the reason why the run, or one task, must not delegate. */
import type { Amendment } from '../event/amendment.ts';
import { askAboutDiskAt, type LowDisk } from './disk.ts';
import { timeLeft } from './spent.ts';
import { type CheckpointOf, type CheckpointState, openOf, type RunState } from './state.ts';

export type Hold =
  | { readonly for: 'quota'; readonly until: number; readonly guessed: boolean }
  | ({ readonly for: 'disk' } & Pick<LowDisk, 'free' | 'needs'>)
  | { readonly for: 'checkpoint'; readonly checkpoint: CheckpointState };

/** The circuit breaker, the run's budget, a full disk and a red base stop everything; a failed task stops only itself. */
function holdsAll(one: CheckpointState): boolean {
  return one.kind === 'breaker' || one.kind === 'disk' || one.kind === 'base' || isRunBudget(one);
}

function isRunBudget(one: CheckpointState): boolean {
  return one.kind === 'budget' && one.task === undefined;
}

/** Not planned, and not about an edit of the plan: the person who made the edit can answer that. */
export function isAboutTrouble({ kind }: CheckpointState): boolean {
  return kind !== 'planned' && kind !== 'edit';
}

/** The trouble at which the run pauses instead of continuing with the rest. */
export function stoppingTrouble({ checkpoints, onTrouble }: RunState): CheckpointState | undefined {
  return onTrouble === 'stop' ? checkpoints.find((one) => one.status === 'open' && isAboutTrouble(one)) : undefined;
}

/** Rejected by an option: only a person can pass the review, and fixing once more would repeat what failed. */
export function isRefusedReview({ kind, status, isUnattended }: CheckpointState): boolean {
  return kind === 'review' && status === 'rejected' && isUnattended === true;
}

/** About what the run may use: a budget, or the disk. */
export function isAboutMeans({ kind }: CheckpointState): boolean {
  return kind === 'budget' || kind === 'disk';
}

/** Rejecting this checkpoint cancels the run. */
export function stopsRun(one: CheckpointState): boolean {
  return one.kind === 'planned' || one.kind === 'disk' || one.kind === 'base' || isRunBudget(one);
}

/** Stops one feature, or those in a cycle, and the features that depend on them. */
export function isAboutFeatures(one: CheckpointState): one is CheckpointOf<'feature' | 'cycle'> {
  return one.kind === 'feature' || one.kind === 'cycle';
}

/** A rejection with a note sends the work back; it does not halt the feature. */
export function isSentBack(one: CheckpointState): boolean {
  return one.kind === 'feature' && one.status === 'rejected' && one.note !== undefined;
}

export function holdOf(state: RunState): Hold | undefined {
  const { checkpoints, quota, disk } = state;
  const checkpoint = checkpoints.find((one) => one.status === 'open' && holdsAll(one)) ?? stoppingTrouble(state);
  if (checkpoint !== undefined) return { for: 'checkpoint', checkpoint };
  if (quota !== null) return { for: 'quota', ...quota };
  return disk.low === null ? undefined : { for: 'disk', free: disk.low.free, needs: disk.low.needs };
}

/** True while a person is asked about an edit of this task. */
export function isHeldByEdit(state: Pick<RunState, 'checkpoints'>, task: string): boolean {
  return openOf(state, 'edit').some(({ amendments }) => amendments.some((one) => taskOf(one) === task));
}

function taskOf(amendment: Amendment): string | undefined {
  if (!('task' in amendment)) return undefined;
  return typeof amendment.task === 'string' ? amendment.task : amendment.task.id;
}

/** The time at which to decide again even if nothing happens: milliseconds, wall clock. */
export function wakeTime(state: RunState): number | undefined {
  const times = [state.quota?.until ?? budgetTime(state), askAboutDiskAt(state.disk)];
  const due = times.filter((time) => time !== undefined);
  return due.length === 0 ? undefined : Math.min(...due);
}

function budgetTime({ created, spent, granted, lastAt, active }: RunState): number | undefined {
  const left = timeLeft(created.settings.budgets, spent, granted.minutes);
  return left === undefined || left === 0 || active.size === 0 ? undefined : Math.ceil(lastAt + left);
}
