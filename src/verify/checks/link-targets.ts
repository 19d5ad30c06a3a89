/** Where the links among the changes point to, as they lie in the folder where the agent worked. Nothing is followed. */
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { linkMode, type WorkChange } from '../work.ts';

/** Path → the text of its target; without those that cannot be read. */
export async function linkTargetsIn(directory: string, changes: readonly WorkChange[]): Promise<Map<string, string>> {
  const links = changes.filter(({ change, mode }) => mode === linkMode && change !== 'deleted');
  const targets = new Map<string, string>();
  for (const { path } of links) {
    const target = await readlink(join(directory, path)).catch(() => undefined);
    if (target !== undefined) targets.set(path, target);
  }
  return targets;
}
