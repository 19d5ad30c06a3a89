/** Registry: finds an agent by name, a built-in one or the project's own in its place. Only files in `.divisi/agents/` may decide gates. */
import type { DivisiError } from '../base/error.ts';
import type { Agent, OwnAgent } from './agent.ts';
import { builtInAgents, undescribed } from './built-in-agents.ts';

/** The agent of a task that names none. */
export const defaultAgent = 'worker';

export interface Agents {
  readonly byName: ReadonlyMap<string, Agent>;
  /** The errors of files that were skipped, by agent name. */
  readonly skipped: ReadonlyMap<string, DivisiError>;
  /** Files of other programs that may not replace a gate's agent, by agent name. */
  readonly kept: ReadonlyMap<string, string>;
}

/** Agents whose verdict decides what runs next: a file that came with a clone for another program must not. */
const decidingAgents: ReadonlySet<string> = new Set([
  'wave-reviewer',
  'task-reviewer',
  'auditor',
  'code-reviewer',
  'review-pr',
  'silent-failure-hunter',
  'type-design-analyzer',
]);

const mayDecideGates = ({ file }: OwnAgent): boolean => file.startsWith('.divisi/agents/');

/** The last agent of a name wins. Without a contract, it inherits that of the agent it replaces: readers of its return rely on it. */
export function agentsByName(
  own: readonly OwnAgent[] = [],
  skipped: ReadonlyMap<string, DivisiError> = new Map(),
): Agents {
  const byName = new Map<string, Agent>(builtInAgents.map((agent) => [agent.name, agent]));
  const kept = new Map<string, string>();
  for (const agent of own) {
    if (decidingAgents.has(agent.name) && !mayDecideGates(agent)) {
      kept.set(agent.name, agent.file);
      continue;
    }
    const before = byName.get(agent.name);
    byName.set(agent.name, {
      ...agent,
      contract: agent.contract ?? before?.contract ?? 'worker-report',
      ...(before === undefined ? {} : { replaces: before.file ?? 'built-in' }),
    });
  }
  const needed = new Map(skipped);
  for (const [name, { ids }] of skipped) {
    if (decidingAgents.has(name) && needed.delete(name)) kept.set(name, String(ids['file'] ?? name));
  }
  return { byName, skipped: needed, kept };
}

/** The name without a plugin's prefix. */
export const plainName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Ignores a plugin's prefix. An agent without a description is a worker under its own name. */
export function findAgent({ byName }: Agents, name: string): Agent {
  const plain = plainName(name);
  return byName.get(plain) ?? undescribed(plain);
}

/** The contracts of agents that only Divisi starts, never as a task of a plan. */
const notForTasks: ReadonlySet<string> = new Set(['architect', 'wave-review', 'task-review']);

/** The agents that a generated plan may name: described, and usable for tasks. */
export function plannedAgents({ byName, skipped }: Agents): string[] {
  return Array.from(byName.values())
    .filter(({ name, contract }) => !notForTasks.has(contract) && !skipped.has(name))
    .map(({ name }) => name);
}

/** The drivers of agents that name one; plan and config decide for all others. */
export function agentDrivers({ byName }: Agents): ReadonlyMap<string, string> {
  return new Map(
    Array.from(byName.values()).flatMap(({ name, driver }) => (driver === undefined ? [] : [[name, driver]])),
  );
}

/** Throws for agents whose file was skipped: a substitute would not be what the plan means. Other agents are unaffected. */
export function checkAgents({ skipped }: Agents, names: Iterable<string>): void {
  for (const name of names) {
    const fault = skipped.get(plainName(name));
    if (fault !== undefined) throw fault;
  }
}
