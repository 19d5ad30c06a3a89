/** Files of this repository, for tests that compare code with what is written beside it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const repository: string = join(import.meta.dirname, '../..');

export function repositoryFile(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

export function hasRepositoryFile(path: string): boolean {
  return existsSync(join(repository, path));
}

export function repositoryFolder(path: string): string[] {
  return readdirSync(join(repository, path)).toSorted();
}
