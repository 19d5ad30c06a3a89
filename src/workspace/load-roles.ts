/** Who returns by what: enough to understand what an agent has said, whatever the config is like by now. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Agents, agentsByName } from '../agents/registry.ts';
import { type Contracts, contractsByName } from '../contracts/registry.ts';

export interface Roles {
  readonly contracts: Contracts;
  readonly agents: Agents;
}

/** Where a project has files of its own; what reads them is slow to load. */
const folders = ['.tutti/contracts', '.tutti/agents', '.claude/agents'];

export async function loadRoles(project: string): Promise<Roles> {
  if (!folders.some((folder) => existsSync(join(project, folder)))) {
    return { contracts: contractsByName(), agents: agentsByName() };
  }
  const { loadContracts } = await import('./own-contracts.ts');
  const { loadAgents } = await import('./own-agents.ts');
  const contracts = await loadContracts(project);
  return { contracts, agents: await loadAgents(project, contracts) };
}
