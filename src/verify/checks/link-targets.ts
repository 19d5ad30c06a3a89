/** Reads the targets of changed symlinks in the agent's folder. Follows none of them. */
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { linkMode, type WorkChange } from '../work.ts';

/** Path → target text; unreadable links are left out. */
export async function linkTargetsIn(directory: string, changes: readonly WorkChange[]): Promise<Map<string, string>> {
  const links = changes.filter(({ change, mode }) => mode === linkMode && change !== 'deleted');
  const targets = new Map<string, string>();
  for (const { path } of links) {
    const target = await readlink(join(directory, path)).catch(() => undefined);
    if (target !== undefined) targets.set(path, target);
  }
  return targets;
}
