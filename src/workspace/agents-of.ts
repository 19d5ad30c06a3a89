/** Who works in a project. Files of its own are slow to read, and so is what reads them: only where there are any. */
import { type Agents, agentsByName } from '../agents/registry.ts';
import { hasOwnRoles } from './has-own-roles.ts';

export async function agentsOf(project: string): Promise<Agents> {
  if (!hasOwnRoles(project)) return agentsByName();
  const { loadRoles } = await import('./load-roles.ts');
  return (await loadRoles(project)).agents;
}
