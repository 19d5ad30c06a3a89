/**
 * What a dead orchestrator left behind: delegations that the ledger calls active although nobody watches them. Their
 * processes are gone by now. One that had said all it had to say is recorded with that; the others are lost, and their
 * tasks open again.
 */
import { defined } from '../base/defined.ts';
import type { NewEvent } from '../core/event/event.ts';
import type { Outcome } from '../core/event/outcome.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import type { Activity } from '../core/attempt/activity.ts';
import type { Ended } from '../engine/engine.ts';

const lost: Outcome = {
  status: 'partial',
  summary: '',
  files: [],
  repairs: 0,
  degraded: [],
  failure: { class: 'lost', message: 'the orchestrator went away while this was running' },
};

/** What a delegation that nobody watched any more had to say after so many repairs, where that is still known. */
export type Recover = (activity: Activity, repairs: number) => Promise<Ended | undefined>;

export async function reconcile(state: RunState, recover: Recover): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const { registered, repairs } of state.active.values()) {
    const task = findTask(state, registered.task);
    if (task === undefined) throw new Error(`${registered.delegation} has no task`);
    const { delegation } = registered;
    const { wave, planned, role, worktree } = task;
    const { workflow } = state.created;
    const where = { ...(worktree === null ? {} : { worktree }), ...defined({ workflow }) };
    const activity = { key: delegation, wave, task: planned, role, registered, earlier: [], notes: [], ...where };
    const found = await recover(activity, repairs);
    const { end, outcome } = found ?? { end: 'lost', outcome: lost };
    events.push({ kind: 'delegation.ended', delegation, task: registered.task, end, outcome });
  }
  return events;
}
