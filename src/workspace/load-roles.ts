/** Who returns by what: enough to understand what an agent has said, whatever the config is like by now. */
import type { Agents } from '../agents/registry.ts';
import type { Contracts } from '../contracts/registry.ts';
import { loadAgents } from './own-agents.ts';
import { loadContracts } from './own-contracts.ts';

export interface Roles {
  readonly contracts: Contracts;
  readonly agents: Agents;
}

export async function loadRoles(project: string): Promise<Roles> {
  const contracts = await loadContracts(project);
  return { contracts, agents: await loadAgents(project, contracts) };
}
