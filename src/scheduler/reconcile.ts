/**
 * Accounts for the delegations that a dead orchestrator left active. Their processes are gone: one that had returned in full ends
 * with that return; the others are lost, and their tasks are open again.
 */
import { defined } from '../base/defined.ts';
import { divisiError } from '../base/error.ts';
import type { NewEvent } from '../core/event/event.ts';
import type { Outcome } from '../core/event/outcome.ts';
import { findTask, isOver, type RunState } from '../core/state/state.ts';
import type { Activity } from '../core/attempt/activity.ts';
import type { ActivityEnd } from '../engine/engine.ts';

const lost: Outcome = {
  status: 'partial',
  summary: '',
  files: [],
  repairs: 0,
  degraded: [],
  failure: { class: 'lost', message: 'interrupted when the orchestrator stopped' },
};

/** The end of a delegation that was left active, after so many repairs; undefined where its return is not known. */
export type Recover = (activity: Activity, repairs: number) => Promise<ActivityEnd | undefined>;

export async function reconcile(state: RunState, recover: Recover): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (const { registered, repairs } of state.active.values()) {
    const task = findTask(state, registered.task);
    if (task === undefined) throw new Error(`${registered.delegation} has no task`);
    const { delegation } = registered;
    const { wave, planned, role } = task;
    const room = task.attempt?.room ?? null;
    const { workflow } = state.created;
    const where = { ...(room === null ? {} : { room }), ...defined({ workflow }) };
    const activity = { key: delegation, wave, task: planned, role, registered, earlier: [], notes: [], ...where };
    const found = await recover(activity, repairs);
    const { end, outcome } = found ?? { end: 'lost', outcome: lost };
    events.push({ kind: 'delegation.ended', delegation, task: registered.task, end, outcome });
  }
  return events;
}

/** Stops a run that no process works on. */
export async function stopEvents(state: RunState, how: 'pause' | 'cancel', recover: Recover): Promise<NewEvent[]> {
  const { status, created } = state;
  if (isOver(status)) {
    throw divisiError('RUN_ENDED', {
      message: `${created.run} has already ended: ${status}`,
      next: `\`divisi report ${created.run}\` shows its result.`,
      ids: { run: created.run },
    });
  }
  const found = await reconcile(state, recover);
  if (how === 'cancel') return [...found, { kind: 'run.ended', status: 'cancelled' }];
  return status === 'paused' ? [] : [...found, { kind: 'run.paused', reason: 'stopped', for: 'stop' }];
}
