/** Loads a project's contracts and agents: enough to read a return, whatever the config says by now. */
import { type Agents, agentsByName } from '../agents/registry.ts';
import { type Contracts, contractsByName } from '../contracts/registry.ts';
import { hasOwnRoles } from './has-own-roles.ts';

export interface Roles {
  readonly contracts: Contracts;
  readonly agents: Agents;
}

export async function loadRoles(project: string): Promise<Roles> {
  if (!hasOwnRoles(project)) return { contracts: contractsByName(), agents: agentsByName() };
  const { loadContracts } = await import('./own-contracts.ts');
  const { loadAgents } = await import('./own-agents.ts');
  const contracts = await loadContracts(project);
  return { contracts, agents: await loadAgents(project, contracts) };
}
