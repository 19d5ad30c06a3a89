/** Which agent a name stands for: a built-in one, or one of the project's files in its place. */
import type { DivisiError } from '../base/error.ts';
import type { Agent, OwnAgent } from './agent.ts';
import { builtInAgents, undescribed } from './built-in-agents.ts';

/** The agent of a task that names none. */
export const defaultAgent = 'worker';

export interface Agents {
  readonly byName: ReadonlyMap<string, Agent>;
  /** What is wrong with files that were left out, by the names their agents would have had. */
  readonly skipped: ReadonlyMap<string, DivisiError>;
}

/**
 * The last of a name wins. Without a contract of its own it returns by that of the agent it replaces: whoever reads the
 * return of a reviewer counts on it.
 */
export function agentsByName(
  own: readonly OwnAgent[] = [],
  skipped: ReadonlyMap<string, DivisiError> = new Map(),
): Agents {
  const byName = new Map<string, Agent>(builtInAgents.map((agent) => [agent.name, agent]));
  for (const agent of own) {
    const before = byName.get(agent.name);
    byName.set(agent.name, {
      ...agent,
      contract: agent.contract ?? before?.contract ?? 'worker-report',
      ...(before === undefined ? {} : { replaces: before.file ?? 'built-in' }),
    });
  }
  return { byName, skipped };
}

/** A plugin's prefix does not make it another agent. */
export const plainName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** A plugin's prefix does not matter, and an agent nobody described is a worker under its own name. */
export function findAgent({ byName }: Agents, name: string): Agent {
  const plain = plainName(name);
  return byName.get(plain) ?? undescribed(plain);
}

/** What returns by these is asked for by Divisi itself, and is no task of a plan. */
const notForTasks: ReadonlySet<string> = new Set(['architect', 'wave-review', 'task-review']);

/** Those that a plan may name which no person wrote: described, and there to work. */
export function plannedAgents({ byName, skipped }: Agents): string[] {
  return Array.from(byName.values())
    .filter(({ name, contract }) => !notForTasks.has(contract) && !skipped.has(name))
    .map(({ name }) => name);
}

/** By their names, the drivers that agents ask for; the others leave that to the plan and the config. */
export function agentDrivers({ byName }: Agents): ReadonlyMap<string, string> {
  return new Map(
    Array.from(byName.values()).flatMap(({ name, driver }) => (driver === undefined ? [] : [[name, driver]])),
  );
}

/** A file that could not be used stops only who needs its agent: another one in its place would not be what was meant. */
export function checkAgents({ skipped }: Agents, names: Iterable<string>): void {
  for (const name of names) {
    const fault = skipped.get(plainName(name));
    if (fault !== undefined) throw fault;
  }
}
