/**
 * Reads the user's own config, `~/.config/divisi/config.yaml`: settings of the machine, which no project may decide. It must be the
 * user's, and nobody else may be able to write to it.
 *
 * ```yaml
 * workspace: { folder: /big/rooms }
 * confine: { mode: files, writable: [~/.m2] }
 * ```
 */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { UserConfig } from '../config/user-config.ts';
import { divisiError, messageOf } from '../base/error.ts';
import { isOwnAlone } from './own-alone.ts';
import { isMissing } from './project-path.ts';
import { readRegularFileNow } from './regular-file.ts';

const mostBytes = 1024 * 1024;

/** The folder for rooms that the user chose; undefined where none is. */
export async function chosenRooms(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await readUserConfig(environment)).workspace?.folder;
}

/** Empty where there is none. Throws CONFIG_INVALID for one that others may have written. */
export async function readUserConfig(environment: NodeJS.ProcessEnv): Promise<UserConfig> {
  const file = userConfigFile(environment);
  let text: string;
  try {
    for (const path of [dirname(file), file]) {
      if (!isOwnAlone(statSync(path))) throw unsafe(path);
    }
    text = readRegularFileNow(file, mostBytes).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return {};
    throw unreadable(file, error);
  }
  // Loads YAML and schemas: most users have no such file.
  const { parseUserConfig } = await import('../config/user-config.ts');
  return parseUserConfig(text, file);
}

const unsafe = (path: string): Error =>
  new Error(`${path} must be yours, and nobody else may be able to write to it (chmod go-w, chown)`);

function unreadable(file: string, cause: unknown): Error {
  return divisiError('CONFIG_INVALID', {
    message: `${file} is not used: ${messageOf(cause)}`,
    next: 'Fix that, or remove the file: every setting is optional.',
    ids: { file },
    cause,
  });
}

export function userConfigFile({ XDG_CONFIG_HOME: xdg = '', HOME: home }: NodeJS.ProcessEnv): string {
  const folder = isAbsolute(xdg) ? xdg : join(home !== undefined && isAbsolute(home) ? home : homedir(), '.config');
  return join(folder, 'divisi/config.yaml');
}
