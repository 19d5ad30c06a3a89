/** Start notes: says at the start of a run which of its agents are replaced by files, and which files its gates do not use. */
import { agentNotes } from '../../agents/agent-notes.ts';
import type { Agents } from '../../agents/registry.ts';
import { workflowAs } from '../../core/event/run-kind.ts';
import { partAgents } from '../../core/features/next-step.ts';
import type { RunState } from '../../core/state/state.ts';

/** The agents that gates delegate to. */
const gateAgents = ['wave-reviewer', 'task-reviewer', 'auditor', 'fixer'];

/** One line each. */
export function startNotes(state: RunState, agents: Agents): string[] {
  return agentNotes(agents, agentsOf(state));
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
