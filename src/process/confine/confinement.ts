/**
 * Confinement: what a program and everything it starts may see and change. Everything is readable that no mount covers, and nothing
 * else is writable. Later mounts cover earlier ones.
 */

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
  /** Variables that lead programs to the places they may write to. They win over the program's own. */
  readonly variables: Readonly<Record<string, string>>;
  /** Absolute: our own folder for the room, which its programs do not see. `tmp` in it is their `/tmp`. */
  readonly private: string;
  /** Absolute: our own folder for what agent programs keep for the project. */
  readonly kept: string;
}

/** Adds mounts on top. */
export function withMounts(confinement: Confinement, mounts: readonly Mount[]): Confinement {
  return { ...confinement, mounts: [...confinement.mounts, ...mounts] };
}
