/** Tells whether a project has agents or contracts of its own, without reading them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const folders = ['.divisi/contracts', '.divisi/agents', '.claude/agents'];

export function hasOwnRoles(project: string): boolean {
  return folders.some((folder) => existsSync(join(project, folder)));
}
