/** Finds the folder whose hooks the user's git runs, where it is part of the repository (`core.hooksPath`, as husky sets it). */
import { isAbsolute, join, relative, sep } from 'node:path';
import { leadsOut, liesWithin } from '../../../base/paths.ts';
import { type DiffChange, projectPath } from '../changes.ts';
import { gitText } from '../git.ts';
import { checkout, type Repository } from '../repository.ts';

const known = new Map<string, Promise<string | undefined>>();

/** As a path of a change; undefined where the hooks are git's own or outside the repository. Asked once by each process. */
export function hooksFolder(repository: Repository): Promise<string | undefined> {
  const folder = known.get(repository.project) ?? lookUp(repository);
  known.set(repository.project, folder);
  return folder;
}

async function lookUp(repository: Repository): Promise<string | undefined> {
  if (repository.kind !== 'git') return undefined;
  const look = ['config', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const lines = (await gitText(checkout(repository), look, { answers: [0, 1] })).split('\n');
  // Our own calls switch hooks off on the command line.
  const [, path] = lines.map((line) => line.split('\t')).findLast(([scope]) => scope !== 'command') ?? [];
  if (path === undefined || path === '') return undefined;
  const { top } = repository;
  const way = relative(top, isAbsolute(path) ? path : join(top, path));
  return way === '' || leadsOut(way) || isAbsolute(way) ? undefined : projectPath(repository, way.split(sep).join('/'));
}

/** The changed files that the user's git would run as hooks. */
export async function changedHooks(repository: Repository, changes: readonly DiffChange[]): Promise<string[]> {
  const folder = await hooksFolder(repository);
  if (folder === undefined) return [];
  return changes.map(({ path }) => path).filter((path) => liesWithin(path.toLowerCase(), folder.toLowerCase()));
}
