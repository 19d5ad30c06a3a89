/** Reads `specs:` of the config. A config that does not mention it is not parsed: every command about backlog tasks starts here. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export async function specsSetting(project: string): Promise<string | undefined> {
  // An unreadable file is reported by `loadConfig`.
  const text = await readFile(join(project, '.divisi/config.yaml'), 'utf8').catch(() => 'specs');
  if (!text.includes('specs')) return undefined;
  const { loadConfig } = await import('./project-folder.ts');
  return (await loadConfig(project)).specs;
}
