/**
 * What files held at a moment, so that finished work can be looked at again before it is trusted. Only regular files inside of
 * the project count; what is too large to be read in no time is known by its size.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { locate } from '../workspace/project-path.ts';
import { readRegularFile } from '../workspace/regular-file.ts';

const largest = 16 * 1024 * 1024;

/** Path → fingerprint; without those that are not there, lead outside or cannot be read. */
export async function fingerprints(project: string, paths: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const path of paths) {
    const print = await fingerprint(project, path);
    if (print !== undefined) found[path] = print;
  }
  return found;
}

async function fingerprint(project: string, path: string): Promise<string | undefined> {
  const place = await locate(project, path);
  if (place.found !== 'inside') return undefined;
  const file = join(project, path);
  try {
    const { size } = await stat(file);
    if (size > largest) return `size ${size}`;
    return createHash('sha256')
      .update(await readRegularFile(file, largest))
      .digest('hex');
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return undefined;
    throw error;
  }
}
