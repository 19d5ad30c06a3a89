/** Tells whether a project has agents or contracts of its own, without reading them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Written out: hooks start without the reader of agents. */
const folders = ['.divisi/contracts', '.divisi/agents', '.claude/agents', '.claude/agent/subagents'];

export function hasOwnRoles(project: string): boolean {
  return folders.some((folder) => existsSync(join(project, folder)));
}
