/**
 * Delegation path: the orchestrator, the command, then one agent after another.
 *
 * Depth counts only agents and is at most 3. An agent may not appear twice, to prevent delegation loops; a plugin's
 * prefix makes no difference.
 */
export const maxDepth = 3;

/** The orchestrator and the command. */
const leading = 2;

/** The path of a task that a run delegates itself. */
export function runPath(agent: string): string[] {
  return ['orchestrator', 'run', agent];
}

/**
 * The path of a task command: its own first delegation, or one below `above`, the path of the agent that ran the
 * command. Not checked here, see `pathRefusal`.
 */
export function commandPath(command: string, agent: string, above?: readonly string[]): string[] {
  return above === undefined ? ['orchestrator', command, agent] : [...above, agent];
}

export function depthOf(path: readonly string[]): number {
  return Math.max(path.length - leading, 0);
}

/** The reason a path is not legal, with the whole path; undefined if it is. */
export function pathRefusal(path: readonly string[]): string | undefined {
  const shown = path.join(' → ');
  const agents = path.slice(leading);
  if (agents.length === 0) return `no agent in the path: ${shown}`;
  const names = agents.map((agent) => agent.slice(agent.lastIndexOf(':') + 1));
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined) return `${repeated} appears twice, a cycle: ${shown}`;
  return agents.length > maxDepth ? `depth ${agents.length} is more than ${maxDepth}: ${shown}` : undefined;
}
