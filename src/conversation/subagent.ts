/** Chooses the client's subagent for a task: the plugin's, by role and tier, or one of the user's own. */
import { type Agents, findAgent } from '../agents/registry.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Tier } from '../plan/plan.ts';

export interface Subagent {
  /** The client's name for it. */
  readonly type: string;
  /** The model of the tier, where the subagent's own file does not set one. */
  readonly model?: string;
}

const models: Readonly<Record<Tier, string>> = { fast: 'haiku', standard: 'sonnet', deep: 'opus' };

/**
 * Roles without a subagent in the plugin: each would add a line to every conversation, and differ from a worker only in what its
 * prompt says anyway.
 */
const asWorkers = new Set(['worker', 'reviser', 'task-executor', 'lean-research-agent', 'lean-implementation-agent']);

export function subagentFor({ planned, tier }: Pick<TaskState, 'planned' | 'tier'>, agents: Agents): Subagent {
  const agent = findAgent(agents, planned.agent);
  if (agent.file?.startsWith('.claude/agents/') === true) return { type: agent.name };
  // An agent that the client does not know runs as a worker; its role is in its prompt.
  const isKnown = agents.byName.has(agent.name) && agent.file === undefined;
  if (asWorkers.has(agent.name) || !isKnown) return { type: `divisi:worker-${tier}` };
  return { type: `divisi:${agent.name}`, model: models[tier] };
}
