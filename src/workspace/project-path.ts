/** Paths inside the project, as they really are on disk: a symlink that leads out is outside. */
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { systemCode } from '../base/error.ts';
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

/** A link is there, wherever it leads. `path` is absolute. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** `path` is relative and without faults; what it means on disk is found out here. Where the root is gone, so is everything. */
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

/** The text of a file inside the project that is small enough to be a return; undefined for anything else. */
export async function readInside(root: string, path: string): Promise<string | undefined> {
  const place = await locate(root, path);
  if (place.found !== 'inside' || !place.isFile || place.size > limits.input) return undefined;
  return readFile(place.path, 'utf8');
}
