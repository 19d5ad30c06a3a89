/** Restarts a task command from its agents on. */
import { beforeAgents } from '../event/workflow.ts';
import type { RunState } from '../state/state.ts';

export function restartCommand(state: RunState): void {
  const { reached } = state.command;
  state.command = { reached: reached.filter(({ stage }) => beforeAgents.has(stage)), facts: {} };
}
