/**
 * The path of a delegation: the orchestrator, the command, then one agent after another.
 *
 * Depth counts the agents alone and is at most 3; no agent appears twice, because that is how delegation loops begin. A
 * plugin's prefix does not make it another agent.
 */
export const maxDepth = 3;

/** The first two names are the orchestrator and the command. */
const leading = 2;

/** Of a task that a run delegates itself. */
export function runPath(agent: string): string[] {
  return ['orchestrator', 'run', agent];
}

/**
 * Of a task command: the first delegation of its own, or one below `above`, the path of the agent that gave the command.
 * Whether it is legal says `pathRefusal`, as of every path.
 */
export function commandPath(command: string, agent: string, above?: readonly string[]): string[] {
  return above === undefined ? ['orchestrator', command, agent] : [...above, agent];
}

export function depthOf(path: readonly string[]): number {
  return Math.max(path.length - leading, 0);
}

/** Why a path is not legal, with the whole path in the answer; undefined when it is. */
export function pathRefusal(path: readonly string[]): string | undefined {
  const shown = path.join(' → ');
  const agents = path.slice(leading);
  if (agents.length === 0) return `no agent in the path: ${shown}`;
  const names = agents.map((agent) => agent.slice(agent.lastIndexOf(':') + 1));
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) return `${repeated} appears twice, a cycle: ${shown}`;
  return agents.length > maxDepth ? `depth ${agents.length} is more than ${maxDepth}: ${shown}` : undefined;
}
