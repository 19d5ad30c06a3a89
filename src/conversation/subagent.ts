/**
 * Chooses the client's subagent for a task: the plugin's worker of the tier, its reviewer for roles that change nothing, or one of the
 * user's own. The plugin has no other: each adds a line to every conversation, and the role is in the prompt anyway.
 */
import { type Agents, findAgent } from '../agents/registry.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { classOf } from '../delegation/deadline.ts';
import type { Tier } from '../plan/plan.ts';

export interface Subagent {
  /** The client's name for it. */
  readonly type: string;
  /** The model of the tier, where the subagent's own file does not set one. */
  readonly model?: string;
}

const models: Readonly<Record<Tier, string>> = { fast: 'haiku', standard: 'sonnet', deep: 'opus' };

export function subagentFor({ planned, tier }: Pick<TaskState, 'planned' | 'tier'>, agents: Agents): Subagent {
  const agent = findAgent(agents, planned.agent);
  if (agent.file?.startsWith('.claude/agents/') === true) return { type: agent.name };
  // A role from another file may change something, whatever its name is.
  const isOurs = agents.byName.has(agent.name) && agent.file === undefined;
  return isOurs && isReviewer(agent.name)
    ? { type: 'divisi:reviewer', model: models[tier] }
    : { type: `divisi:worker-${tier}` };
}

/** `reviewer` writes a document for its backlog task, but changes nothing else. */
const isReviewer = (name: string): boolean => name === 'reviewer' || classOf(name) === 'reviewing';
