/** The version of this Divisi. */
import { readFileSync } from 'node:fs';

/** The same distance from `src/cli` as from `dist/cli`. */
export function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
