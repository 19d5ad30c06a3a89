/** Tells whether a project has agents or contracts of its own, without reading them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentFolders } from '../agents/agent-folders.ts';

const folders = ['.divisi/contracts', ...agentFolders];

export function hasOwnRoles(project: string): boolean {
  return folders.some((folder) => existsSync(join(project, folder)));
}
