/** Project path: resolves, reads and creates paths inside a folder. Follows symlinks and refuses those that lead out. */
import { lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { divisiError, systemCode } from '../base/error.ts';
import { limits } from '../contracts/field.ts';
import { leadsOut } from '../base/paths.ts';

export type OnDisk =
  | { readonly found: 'missing' }
  | { readonly found: 'outside' }
  | { readonly found: 'inside'; readonly path: string; readonly size: number; readonly isFile: boolean };

const missing = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

export function isMissing(error: unknown): boolean {
  return missing.has(systemCode(error) ?? '');
}

/** True for a symlink as well, wherever it leads. `path` is absolute. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** `path` is relative and has no `pathFault`. Without a root, every path is missing. */
export async function locate(root: string, path: string): Promise<OnDisk> {
  let top: string;
  let real: string;
  try {
    top = await realpath(root);
    real = await realpath(join(top, path));
  } catch (error) {
    if (isMissing(error)) return { found: 'missing' };
    throw error;
  }
  const inside = relative(top, real);
  if (leadsOut(inside)) return { found: 'outside' };
  const facts = await stat(real);
  return { found: 'inside', path: real, size: facts.size, isFile: facts.isFile() };
}

/** The text of a file inside the folder that is small enough to be a return; undefined for anything else. */
export async function readInside(root: string, path: string): Promise<string | undefined> {
  try {
    const place = await locate(root, path);
    if (place.found !== 'inside' || !place.isFile || place.size > limits.input) return undefined;
    return await readFile(place.path, 'utf8');
  } catch (error) {
    // An agent may take away the right to read its own files.
    if (systemCode(error) === 'EACCES') return undefined;
    throw error;
  }
}

/** Holds what agents said: for this user alone, wherever a project lies. */
const privateFolder = '.divisi/runs';

/** Creates a folder and those above it; returns its real path. `mode` applies to the last one. */
export async function folderInside(root: string, folder: string, mode?: number): Promise<string> {
  const top = await realpath(root);
  const parts = folder.split('/');
  let at = top;
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const own = parts.slice(0, index + 1).join('/') === privateFolder ? 0o700 : isLast ? mode : undefined;
    at = join(at, part);
    await mkdir(at, { recursive: true, ...(own === undefined ? {} : { mode: own }) });
    at = await realpath(at);
    if (!leadsOut(relative(top, at))) continue;
    throw divisiError('PATH_OUTSIDE', {
      message: `${folder} leads out of the project through a symlink`,
      next: 'Remove the symlink and try again; nothing was written there.',
      ids: { folder },
    });
  }
  return at;
}
