/** Refuses an event that cannot follow from the state, and looks up what an event names. */
import { divisiError } from '../../base/error.ts';
import type { DelegationId } from '../../base/ids.ts';
import type { RunEvent } from '../event/event.ts';
import { type ActiveDelegation, findTask, type RunState, waveAt, type WaveState } from '../state/state.ts';
import type { Attempt, TaskState } from '../state/task-state.ts';

export function illegal(event: RunEvent, why: string): Error {
  return divisiError('EVENT_INVALID', {
    message: `${event.kind} cannot happen now: ${why}`,
    next: 'The ledger and this version of Divisi do not agree; keep its `ledger.db` and report it.',
    ids: { kind: event.kind },
  });
}

export function taskOf(state: RunState, id: string, event: RunEvent): TaskState {
  const task = findTask(state, id);
  if (task === undefined) throw illegal(event, `there is no task ${id}`);
  return task;
}

/** The last attempt at a task, which must have been registered. */
export function attemptOf(task: TaskState, event: RunEvent): Attempt {
  if (task.attempt === null) throw illegal(event, `task ${task.planned.id} has no attempt`);
  return task.attempt;
}

export function activeOf(state: RunState, id: DelegationId, event: RunEvent): ActiveDelegation {
  const active = state.active.get(id);
  if (active === undefined) throw illegal(event, `the delegation ${id} is not active`);
  return active;
}

export function waveOf(state: RunState, number: number, event: RunEvent): WaveState {
  const wave = waveAt(state, number);
  if (wave === undefined) throw illegal(event, `there is no wave ${number}`);
  return wave;
}
