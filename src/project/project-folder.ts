/** Reads and writes the settings of a project: its config, contracts and agents. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { messageOf, systemCode, divisiError } from '../base/error.ts';
import { prepareFolder } from './prepare-folder.ts';
import { deadlines } from '../delegation/deadline.ts';
import { loadRoles, type Roles } from '../workspace/load-roles.ts';
import { isMissing } from '../workspace/project-path.ts';

export interface ProjectSettings extends Roles {
  readonly config: Config;
}

const configFile = '.divisi/config.yaml';

/** False where a config exists; it is never changed. */
export async function writeNewConfig(project: string, text: string): Promise<boolean> {
  await prepareFolder(project);
  const file = join(project, configFile);
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (cause) {
    if (systemCode(cause) === 'EEXIST') return false;
    await rm(file, { force: true }).catch(() => undefined);
    throw divisiError('LEDGER_UNWRITABLE', {
      message: `${file} could not be written: ${messageOf(cause)}`,
      next: 'Make .divisi writable, with room on the disk.',
      ids: { file },
      cause,
    });
  }
}

export async function loadConfig(project: string): Promise<Config> {
  const file = configFile;
  try {
    return parseConfig(await readFile(join(project, file), 'utf8'), file, deadlines);
  } catch (error) {
    if (isMissing(error)) return parseConfig('', file, deadlines);
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw divisiError('CONFIG_INVALID', {
      message: `${file} cannot be read: ${error.message}`,
      next: 'Make it readable, or remove it: every setting is optional.',
      ids: { file },
      cause: error,
    });
  }
}

/** Reads the project's config, contracts and agents. Warns of each agent file that was skipped. */
export async function loadProject(project: string, warn: (error: unknown) => void): Promise<ProjectSettings> {
  const config = await loadConfig(project);
  const roles = await loadRoles(project);
  for (const fault of roles.agents.skipped.values()) warn(fault);
  return { config, ...roles };
}
