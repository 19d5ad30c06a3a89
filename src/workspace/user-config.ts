/**
 * Reads the user's own config, `~/.config/divisi/config.yaml`: settings of the machine, which no project may decide.
 *
 * ```yaml
 * workspace: { folder: /big/rooms }
 * confine: { mode: files, writable: [~/.m2] }
 * ```
 */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { UserConfig } from '../config/user-config.ts';
import { isMissing } from './project-path.ts';

/** The folder for rooms that the user chose; undefined where none is. */
export async function chosenRooms(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await readUserConfig(environment))?.workspace?.folder;
}

/** Undefined where the user has none. */
export async function readUserConfig(environment: NodeJS.ProcessEnv): Promise<UserConfig | undefined> {
  const file = userConfigFile(environment);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  // Loads YAML and schemas: most users have no such file.
  const { parseUserConfig } = await import('../config/user-config.ts');
  return parseUserConfig(text, file);
}

export function userConfigFile({ XDG_CONFIG_HOME: xdg = '', HOME: home }: NodeJS.ProcessEnv): string {
  const folder = isAbsolute(xdg) ? xdg : join(home !== undefined && isAbsolute(home) ? home : homedir(), '.config');
  return join(folder, 'divisi/config.yaml');
}
