/** Resets a task command to the stage before its agents: a restarted run repeats that stage and everything after it. */
import { beforeAgents } from '../event/workflow-step.ts';
import type { RunState } from '../state/state.ts';

export function restartCommand(state: RunState): void {
  const { reached } = state.command;
  state.command = { reached: reached.filter(({ stage }) => beforeAgents.has(stage)), facts: {} };
}
