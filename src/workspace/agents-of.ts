/** Who works in a project. Files of its own are slow to read, and so is what reads them: only where there are any. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Agents, agentsByName } from '../agents/registry.ts';

const folders = ['.divisi/contracts', '.divisi/agents', '.claude/agents'];

/** Whether the project has agents or contracts of its own. */
export function hasOwnRoles(project: string): boolean {
  return folders.some((folder) => existsSync(join(project, folder)));
}

export async function agentsOf(project: string): Promise<Agents> {
  if (!hasOwnRoles(project)) return agentsByName();
  const { loadRoles } = await import('./load-roles.ts');
  return (await loadRoles(project)).agents;
}
