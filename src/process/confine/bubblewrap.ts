/**
 * Builds the command line that starts a program under bubblewrap: its own processes, its own `/dev` and `/proc`, no capabilities, and
 * the files that its confinement names. It ends with the process that started it, and everything it started ends with it.
 */
import { liesWithin } from '../../base/paths.ts';
import type { Confinement, Mount } from './confinement.ts';

export interface ConfinedProgram {
  readonly argv: readonly string[];
  /** Absolute. */
  readonly directory: string;
}

/** What every confined program gets, and what the probe asks for. */
export const bubblewrapBase: readonly string[] =
  '--unshare-pid --unshare-ipc --die-with-parent --cap-drop ALL --ro-bind / / --dev /dev --proc /proc'.split(' ');

export function bubblewrapArgv(
  { program, mounts }: Pick<Confinement, 'program' | 'mounts'>,
  { argv, directory }: ConfinedProgram,
): string[] {
  const seen = mounts.filter(({ path }, at) => !mounts.slice(at + 1).some((later) => liesWithin(path, later.path)));
  // At the end: nothing can be mounted inside a folder that is read-only and empty.
  const hidden = seen.filter(({ as }) => as === 'hidden').flatMap(({ path }) => ['--remount-ro', path]);
  return [program, ...bubblewrapBase, ...seen.flatMap(argumentsOf), ...hidden, '--chdir', directory, '--', ...argv];
}

function argumentsOf(mount: Mount): string[] {
  switch (mount.as) {
    case 'hidden':
    case 'fresh':
      return ['--tmpfs', mount.path];
    case 'readable':
      return ['--ro-bind', mount.from ?? mount.path, mount.path];
    case 'writable':
      // A device of `/dev` that the user named is of use only as a device.
      return [isDevice(mount.path) ? '--dev-bind' : '--bind', mount.from ?? mount.path, mount.path];
    default:
      return mount satisfies never;
  }
}

const isDevice = (path: string): boolean => path.startsWith('/dev/') && !path.startsWith('/dev/shm');
