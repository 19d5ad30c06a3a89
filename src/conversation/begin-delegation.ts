/** Begins one attempt at a task in the user's checkout: registered, with its room opened there, and started. */
import { type RegisterDeps, registerDelegation } from '../core/attempt/register-delegation.ts';
import type { Activity } from '../core/attempt/activity.ts';
import type { RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { InRun } from './in-run.ts';

export interface Beginning extends RegisterDeps, Pick<InRun, 'record'> {
  /** The tree of the files before the first attempt. */
  readonly base: string;
}

export function beginDelegation(task: TaskState, state: RunState, deps: Beginning): Activity {
  const { base, record } = deps;
  const activity = registerDelegation(task, state, deps, record);
  const { delegation, deadline } = activity.registered;
  // The changes of an earlier attempt are still in the files, for this one to keep or to revert.
  const from = activity.before?.room.base ?? base;
  record({ kind: 'workspace.opened', delegation, room: { folder: '.', branch: '', base: from }, deadline });
  record({ kind: 'delegation.started', delegation });
  return activity;
}
