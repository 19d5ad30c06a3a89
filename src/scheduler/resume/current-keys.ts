/** What makes the work of each task the work it is, as the plan of the run and its agents are now. */
import { createHash } from 'node:crypto';
import { type Agents, findAgent } from '../../agents/registry.ts';
import { type Contracts, findContract } from '../../contracts/registry.ts';
import type { RunState } from '../../core/state/state.ts';
import { workKeys } from '../../core/work/work-key.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Roles {
  readonly agents: Agents;
  readonly contracts: Contracts;
}

/** Worked out when it is first asked for, and again when the plan has changed since. */
export function currentKeys(state: RunState, roles: Roles): () => ReadonlyMap<string, string> {
  let keys: ReadonlyMap<string, string> | undefined;
  let amendments = -1;
  return () => {
    if (keys !== undefined && amendments === state.amendments) return keys;
    amendments = state.amendments;
    const tasks = Array.from(state.tasks.values(), ({ planned, wave }) => ({ ...planned, wave }));
    keys = workKeys(tasks, (agent) => aboutAgent(agent, roles), sha256);
    return keys;
  };
}

function aboutAgent(name: string, { agents, contracts }: Roles): { instructions: string; contract: string } {
  const { instructions, contract } = findAgent(agents, name);
  return { instructions, contract: `${contract}@${findContract(contracts, contract).version}` };
}
