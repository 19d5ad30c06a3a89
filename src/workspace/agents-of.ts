/**
 * Loads the agents of a project. A project without files of its own gets the built-in ones without loading the
 * reader.
 */
import { type Agents, agentsByName } from '../agents/registry.ts';
import { hasOwnRoles } from './has-own-roles.ts';

export async function agentsOf(project: string): Promise<Agents> {
  if (!hasOwnRoles(project)) return agentsByName();
  const { loadRoles } = await import('./load-roles.ts');
  return (await loadRoles(project)).agents;
}
