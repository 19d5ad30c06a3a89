/**
 * Builds the command line that starts a program under `sandbox-exec` of macOS, from the same confinement. Untested: no suite has run it.
 * A path cannot show other files there, so a folder of a client is writable in place, without what the client obeys; processes are not
 * apart, and do not end with this one.
 */
import { join } from 'node:path';
import type { Confinement, Mount } from './confinement.ts';

export function sandboxExecArgv(confinement: Confinement, argv: readonly string[]): string[] {
  return [confinement.program, '-p', sandboxProfile(confinement), ...argv];
}

/** Later rules win, as later mounts do. */
export function sandboxProfile({ mounts, private: own }: Pick<Confinement, 'mounts' | 'private'>): string {
  const rules = mounts.filter(({ path }) => !/^\/(?:tmp|var\/tmp|run|dev)(?:\/|$)/.test(path)).flatMap(rulesOf);
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    ...rules,
    `(allow file-read* file-write* ${within(join(own, 'tmp'))})`,
  ].join('\n');
}

function rulesOf({ as, path }: Mount): string[] {
  switch (as) {
    case 'hidden':
      return [`(deny file-read* file-write* ${within(path)})`];
    case 'readable':
      return [`(allow file-read* ${within(path)})`, `(deny file-write* ${within(path)})`];
    case 'fresh':
    case 'writable':
      return [`(allow file-read* file-write* ${within(path)})`];
    default:
      return as satisfies never;
  }
}

const within = (path: string): string => `(subpath ${JSON.stringify(path)})`;
