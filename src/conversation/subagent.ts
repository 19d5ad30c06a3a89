/** Which subagent of the client works on a task: the plugin's, by role and tier, or one of the user's own. */
import { type Agents, findAgent } from '../agents/registry.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Tier } from '../plan/plan.ts';

export interface Subagent {
  /** As the client calls it. */
  readonly type: string;
  /** What its tier asks for, where the subagent's own file does not say it. */
  readonly model?: string;
}

const models: Readonly<Record<Tier, string>> = { fast: 'haiku', standard: 'sonnet', deep: 'opus' };

/**
 * Roles of ours that have no subagent in the plugin: each would be a line in every conversation, and differ from a worker's
 * in nothing that their prompt does not say.
 */
const asWorkers = new Set(['worker', 'reviser', 'task-executor', 'lean-research-agent', 'lean-implementation-agent']);

export function subagentFor({ planned, tier }: Pick<TaskState, 'planned' | 'tier'>, agents: Agents): Subagent {
  const agent = findAgent(agents, planned.agent);
  if (agent.file?.startsWith('.claude/agents/') === true) return { type: agent.name };
  // One that nobody of the client's knows works as a worker: what it is told to be stands in its prompt.
  const isKnown = agents.byName.has(agent.name) && agent.file === undefined;
  if (asWorkers.has(agent.name) || !isKnown) return { type: `divisi:worker-${tier}` };
  return { type: `divisi:${agent.name}`, model: models[tier] };
}
