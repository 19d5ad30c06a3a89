/** Tells what keeps the run, or one task, from delegating. */
import type { Amendment } from '../event/amendment.ts';
import { timeLeft } from './spent.ts';
import { type CheckpointOf, type CheckpointState, openOf, type RunState } from './state.ts';

export type Hold =
  | { readonly for: 'quota'; readonly until: number; readonly guessed: boolean }
  | { readonly for: 'checkpoint'; readonly checkpoint: CheckpointState };

/** A budget or the circuit breaker stops everything; a task that failed stops itself. */
function holdsAll(one: CheckpointState): boolean {
  return one.kind === 'breaker' || isRunBudget(one);
}

function isRunBudget(one: CheckpointState): boolean {
  return one.kind === 'budget' && one.task === undefined;
}

/** A no to it is a no to the run. */
export function stopsRun(one: CheckpointState): boolean {
  return one.kind === 'planned' || isRunBudget(one);
}

/** Stops one feature, or those in a circle, and whoever needs them. */
export function isAboutFeatures(one: CheckpointState): one is CheckpointOf<'feature' | 'cycle'> {
  return one.kind === 'feature' || one.kind === 'cycle';
}

/** A no that says what to do about it is a no to the work, not to the feature. */
export function isSentBack(one: CheckpointState): boolean {
  return one.kind === 'feature' && one.status === 'rejected' && one.note !== undefined;
}

export function holdOf({ checkpoints, quota }: RunState): Hold | undefined {
  const checkpoint = checkpoints.find((one) => one.status === 'open' && holdsAll(one));
  if (checkpoint !== undefined) return { for: 'checkpoint', checkpoint };
  return quota === null ? undefined : { for: 'quota', ...quota };
}

/** Which task waits until a person has said whether it is to change. */
export function isHeldByEdit(state: Pick<RunState, 'checkpoints'>, task: string): boolean {
  return openOf(state, 'edit').some(({ amendments }) => amendments.some((one) => taskOf(one) === task));
}

function taskOf(amendment: Amendment): string | undefined {
  if (!('task' in amendment)) return undefined;
  return typeof amendment.task === 'string' ? amendment.task : amendment.task.id;
}

/** When something is to be decided again although nothing has happened: milliseconds, wall clock. */
export function wakeTime({ quota, created, spent, granted, lastAt, active }: RunState): number | undefined {
  if (quota !== null) return quota.until;
  const left = timeLeft(created.settings.budgets, spent, granted.minutes);
  return left === undefined || left === 0 || active.size === 0 ? undefined : Math.ceil(lastAt + left);
}
