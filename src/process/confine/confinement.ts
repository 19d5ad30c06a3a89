/**
 * Confinement: what a program and everything it starts may see and change. Everything is readable that no mount covers, and nothing
 * else is writable. Later mounts cover earlier ones.
 */

import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** All paths are absolute and real: a mount does not follow symlinks. */
export type Mount =
  /** An empty folder: read-only, or writable and gone with the program. */
  | { readonly as: 'hidden' | 'fresh'; readonly path: string }
  /** `from`: what is seen there, where it is not the path itself. */
  | { readonly as: 'readable' | 'writable'; readonly path: string; readonly from?: string };

export interface Confinement {
  /** Absolute: the program that confines. */
  readonly program: string;
  readonly mounts: readonly Mount[];
  /** Programs in it can confine others in turn. */
  readonly nests: boolean;
  /** Variables that lead programs to the places they may write to. They win over the program's own. */
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute: the room. */
  readonly room: string;
  /** Absolute: our own folder for the room, which its programs do not see. `tmp` in it is their `/tmp`. */
  readonly private: string;
  /** Absolute: our own folder for what agent programs keep for the project. */
  readonly kept: string;
}

/** Programs may read the room, and change only these paths, relative to a directory in it. */
export function readingRoom(confinement: Confinement, directory: string, changes: readonly string[]): Confinement {
  const own = changes.map((path): Mount => ({ as: 'writable', path: `${directory}/${path}` }));
  return withMounts(confinement, [{ as: 'readable', path: confinement.room }, ...own]);
}

/** Adds mounts on top; their paths may lead through symlinks. */
export function withMounts(confinement: Confinement, mounts: readonly Mount[]): Confinement {
  const real = mounts.map((mount): Mount => ({
    ...mount,
    path: join(realFolder(dirname(mount.path)), basename(mount.path)),
  }));
  return { ...confinement, mounts: [...confinement.mounts, ...real] };
}

/** What does not exist yet has no symlinks. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === '/' ? path : join(realFolder(dirname(path)), basename(path));
  }
}
