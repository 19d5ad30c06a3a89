/** Reads and writes the settings of a project: its config, contracts and agents. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { messageOf, systemCode, divisiError } from '../base/error.ts';
import { prepareFolder } from './prepare-folder.ts';
import { deadlines } from '../delegation/deadline.ts';
import { loadRoles, type Roles } from '../workspace/load-roles.ts';
import { type OwnText, readOwnText } from '../workspace/own-text.ts';

export interface ProjectSettings extends Roles {
  readonly config: Config;
}

export const configFile = '.divisi/config.yaml';

/** Far more than a person writes. */
const mostBytes = 1024 * 1024;

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

/** Every setting as it is without a config. */
export function usualConfig(): Config {
  return parseConfig('', configFile, deadlines);
}

/** A clone may have put anything in its place: only a regular file of the project is read. */
export async function loadConfig(project: string): Promise<Config> {
  return readConfig(project);
}

/** For files as small as this one, the process may wait. */
export function readConfig(project: string): Config {
  let read: OwnText;
  try {
    read = readOwnText(project, configFile, mostBytes);
  } catch (error) {
    throw unreadable(messageOf(error), error);
  }
  if ('text' in read) return parseConfig(read.text, configFile, deadlines);
  if (read.fault === 'missing') return usualConfig();
  throw unreadable(read.fault);
}

function unreadable(why: string, cause?: unknown): Error {
  return divisiError('CONFIG_INVALID', {
    message: `${configFile} cannot be read: ${why}`,
    next: 'Make it a readable file of the project, or remove it: every setting is optional.',
    ids: { file: configFile },
    cause,
  });
}

/** Reads the project's config, contracts and agents. Warns of each agent file that was skipped. */
export async function loadProject(project: string, warn: (error: unknown) => void): Promise<ProjectSettings> {
  const config = readConfig(project);
  const roles = await loadRoles(project);
  for (const fault of roles.agents.skipped.values()) warn(fault);
  return { config, ...roles };
}
