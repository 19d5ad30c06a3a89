/** Restarts a task command: everything from its agents on is forgotten. */
import { beforeAgents } from '../event/workflow.ts';
import type { RunState } from '../state/state.ts';

/** A command that has come to its end and is given once more: from its agents on. */
export function restartCommand(state: RunState): void {
  const { reached } = state.command;
  state.command = { reached: reached.filter(({ stage }) => beforeAgents.has(stage)), facts: {} };
}
