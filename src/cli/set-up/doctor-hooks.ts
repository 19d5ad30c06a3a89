/**
 * `divisi doctor`: checks whether the plugin's hooks can start. Claude Code starts `divisi` from the PATH, which starts `node` from the
 * PATH, and ignores a hook that cannot start. Skipped without the client and the plugin.
 */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../process/environment.ts';
import { findProgram } from '../../process/find-program.ts';
import { programVersion } from '../../process/program-version.ts';
import type { SearchPlace } from './agent-programs.ts';
import { type Check, ok, problem, warning } from './doctor-check.ts';
import { isNewEnough, oldestNode } from './doctor-node.ts';
import { ownVersion } from '../own-version.ts';

export async function hookChecks(around: SearchPlace): Promise<readonly Check[]> {
  const { project, environment } = around;
  const isInstalled = await hasPlugin(environment);
  if (!isInstalled && (await findProgram('claude', environment, project)) === undefined) return [];
  // Without the plugin no hook starts: a fault is only a warning then.
  const fault = isInstalled ? problem : warning;
  const plugin = isInstalled
    ? ok('plugin', 'installed in Claude Code')
    : ok('plugin', 'not installed in Claude Code; only needed to run plans from its conversations');
  return [plugin, nodeOfHooks(await look('node', around), fault), commandOfHooks(await look('divisi', around), fault)];
}

/** Reads the client's own record of its plugins. */
export async function hasPlugin({
  CLAUDE_CONFIG_DIR: folder,
  HOME: home = homedir(),
}: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const file = join(folder ?? join(home, '.claude'), 'plugins/installed_plugins.json');
    const { plugins } = JSON.parse(await readFile(file, 'utf8')) as { plugins?: object };
    return Object.keys(plugins ?? {}).some((name) => name.startsWith('divisi@'));
  } catch {
    return false;
  }
}

/** A program found by name, with its version. */
type Look = { readonly path: string; readonly version?: string; readonly fault?: string } | undefined;

async function look(name: string, { project, environment }: SearchPlace): Promise<Look> {
  const path = await findProgram(name, environment, project);
  if (path === undefined) return undefined;
  const allowed = childEnvironment(environment, [], {});
  return { path, ...(await programVersion({ program: path, directory: project, environment: allowed })) };
}

type Fault = (name: string, found: string, next: string) => Check;

const silent = 'Claude Code would skip the hooks silently';

function nodeOfHooks(found: Look, fault: Fault): Check {
  const name = 'node for hooks';
  const next = `Put Node ${oldestNode} or newer first on the PATH that Claude Code is started with.`;
  if (found === undefined) return fault(name, `node is not on the PATH: ${silent}`, next);
  const { path, version } = found;
  if (version === undefined) return fault(name, `${path}: ${found.fault ?? ''}`, next);
  return isNewEnough(version) ? ok(name, `${version}, ${path}`) : fault(name, `${version}, ${path}: ${silent}`, next);
}

function commandOfHooks(found: Look, fault: Fault): Check {
  const name = 'divisi for hooks';
  if (found === undefined)
    return fault(name, `divisi is not on the PATH: ${silent}`, 'Install it for all projects: npm install -g divisi.');
  const { path, version } = found;
  if (version === undefined)
    return fault(name, `${path}: ${found.fault ?? ''}`, 'Reinstall it: npm install -g divisi.');
  const own = ownVersion();
  if (version === own) return ok(name, `${version}, ${path}`);
  return warning(name, `${version}, ${path}; this is ${own}`, 'Install one version: npm install -g divisi.');
}
