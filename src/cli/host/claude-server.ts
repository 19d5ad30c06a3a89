/** Finds out what else than `.mcp.json` makes Claude Code start `divisi mcp`: the plugin, or an entry made by `claude mcp add`. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { objectIn, valueAt } from '../../base/json-value.ts';
import { hasPlugin } from '../set-up/doctor-hooks.ts';

/** Undefined where nothing does. */
export async function claudeServer(environment: NodeJS.ProcessEnv, project: string): Promise<string | undefined> {
  if (await hasPlugin(environment)) return 'the plugin starts it';
  const { CLAUDE_CONFIG_DIR: folder, HOME: home = homedir() } = environment;
  const file = join(folder || home, '.claude.json');
  const settings = objectIn(await readFile(file, 'utf8').catch(() => '{}'));
  const isKnown =
    valueAt(settings, 'mcpServers', 'divisi') !== undefined ||
    valueAt(settings, 'projects', project, 'mcpServers', 'divisi') !== undefined;
  return isKnown ? `${file} has an entry for divisi` : undefined;
}
