/** Reads the version of this Divisi from its package.json: the nearest one above `src/cli`, or above the bundle in `dist`. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function ownVersion(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}
