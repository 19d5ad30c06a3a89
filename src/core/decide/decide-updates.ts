/** Reopens finished work that no longer holds after an update, once no agent is working: nothing new starts until then. */
import type { RunState } from '../state/state.ts';
import { type Decision, record } from './decision.ts';
import { withDependents } from './with-dependents.ts';

/** Undefined where there is none. */
export function reopenStale(state: RunState): readonly Decision[] | undefined {
  const isDone = (id: string): boolean => state.tasks.get(id)?.progress.status === 'completed';
  const stale = state.stale.filter(({ task }) => isDone(task));
  const [first] = stale;
  if (first === undefined) return undefined;
  if (state.active.size + state.index.settling.size + state.updates.length > 0) return [];
  const { why } = first;
  const tasks = stale.filter((one) => one.why === why).map(({ task }) => task);
  const isBegun = (id: string): boolean => (state.tasks.get(id)?.progress.status ?? 'pending') !== 'pending';
  return [record({ kind: 'work.reopened', tasks: [...withDependents(state, tasks)].filter(isBegun), why })];
}
