/**
 * Start notes: says at the start of a run which of its agents are replaced by files, which files its gates do not use, and that no one
 * can review its work.
 */
import { agentNotes } from '../../agents/agent-notes.ts';
import type { Agents } from '../../agents/registry.ts';
import { workflowAs } from '../../core/event/run-kind.ts';
import { partAgents } from '../../core/features/next-step.ts';
import type { Config } from '../../config/config.ts';
import { reviewAdvice } from '../../drivers/command/command-driver.ts';
import type { RunState } from '../../core/state/state.ts';

/** The agents that gates delegate to. */
const gateAgents = ['wave-reviewer', 'task-reviewer', 'auditor', 'fixer'];

/** One line each. */
export function startNotes(state: RunState, agents: Agents, drivers: Config['drivers'] = {}): string[] {
  return [...agentNotes(agents, agentsOf(state)), ...noReviewer(state, drivers)];
}

/** Otherwise people hear of it when the first wave has ended. */
function noReviewer({ created: { settings } }: RunState, drivers: Config['drivers']): string[] {
  const own = Object.hasOwn(drivers, settings.driver) ? drivers[settings.driver] : undefined;
  const { returns, review } = settings.command !== undefined || own?.kind !== 'command' ? settings : own;
  if (!settings.gated || settings.reviews === 'off' || returns !== 'exit-code' || review !== undefined) return [];
  return [`reviews have no one who gives a verdict, because an exit code judges nothing: ${reviewAdvice}`];
}

/** The agents of its tasks so far, and those of steps that may follow. */
function agentsOf({ tasks, waves, created }: RunState): string[] {
  const features = workflowAs(created, 'features');
  return [
    ...Array.from(tasks.values(), ({ planned }) => planned.agent),
    ...(created.settings.gated ? gateAgents : []),
    ...waves.flatMap(({ reviewer }) => reviewer ?? []),
    ...(features === undefined ? [] : [...Object.values(partAgents), ...features.extras]),
  ];
}
