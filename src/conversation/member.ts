/** Finds the delegation of an agent of the conversation, by the agent's id in the client; never by time or order. */
import { defined } from '../base/defined.ts';
import type { DelegationId } from '../base/ids.ts';
import type { ActiveDelegation, RunState } from '../core/state/state.ts';
import { findTask } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';

/** The driver name in `conversation.opened`. */
export const clientName = 'claude-code';

export interface Member {
  readonly task: TaskState;
  readonly delegation: DelegationId;
  /** Absent once the delegation has ended. */
  readonly active?: ActiveDelegation;
}

/** The line that Divisi adds to a prompt. Texts of plans and agents come before it and may look alike: the last match counts. */
const named = /^- run (run_[0-9A-Z]{26}), delegation (sess_\d{8,12}_[0-9a-z]{6}), depth \d+$/gm;

export function delegationInPrompt(prompt: string, run: string): DelegationId | undefined {
  const last = delegationNamed(prompt);
  return last?.run === run ? last.delegation : undefined;
}

/** Of any run. */
export function delegationNamed(prompt: string): { run: string; delegation: DelegationId } | undefined {
  const [, run, delegation] = [...prompt.matchAll(named)].at(-1) ?? [];
  return run === undefined ? undefined : { run, delegation: delegation as DelegationId };
}

export function memberOf(state: RunState, delegation: DelegationId): Member | undefined {
  const active = state.active.get(delegation);
  const task =
    active === undefined
      ? everyTask(state).find((one) => one.attempt?.delegation === delegation)
      : taskOf(state, active);
  return task === undefined ? undefined : { task, delegation, ...defined({ active }) };
}

/** The member already known by this agent id. */
export function memberByAgent(state: RunState, agent: string): Member | undefined {
  const task = everyTask(state).find(
    ({ attempt }) => attempt?.conversation?.driver === clientName && attempt.conversation.id === agent,
  );
  return task?.attempt == null ? undefined : memberOf(state, task.attempt.delegation);
}

/** The delegation has no agent yet: the first agent with its prompt gets it. */
export function isUnassigned({ task, active }: Member): boolean {
  return active !== undefined && (task.attempt?.conversation ?? null) === null;
}

function taskOf(state: RunState, { registered }: ActiveDelegation): TaskState | undefined {
  return findTask(state, registered.task);
}

function everyTask({ tasks, gateTasks }: RunState): TaskState[] {
  return [...tasks.values(), ...gateTasks.values()];
}
