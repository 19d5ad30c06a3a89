/**
 * Resolves which files of the user's checkout each room of a run gets: the paths and patterns of the config, and the patterns of
 * `.worktreeinclude`. Git does the matching. Refuses a path that is missing; names patterns that match nothing.
 */
import { lstat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { divisiError } from '../../base/error.ts';
import { foldersOf, isPattern, liesWithin, normalPath, pathFault } from '../../base/paths.ts';
import { oneLine } from '../../base/text.ts';
import type { Config } from '../../config/config.ts';
import type { WorkspaceFacts } from '../../core/event/verification.ts';
import { dependencyFolders } from '../detect-set-up.ts';
import { isThere, locate } from '../project-path.ts';
import { type OwnText, readOwnText } from '../own-text.ts';
import { fieldsOf, git } from './git.ts';
import { checkout, type Repository } from './repository.ts';
import { isOwnFolder } from './room/provide.ts';

export type Provisions = Pick<WorkspaceFacts, 'link' | 'copy' | 'included' | 'unmatched'>;

/** A convention that clients share: gitignore patterns of untracked files that every worktree needs. */
const includeFile = '.worktreeinclude';

/** A run records each of them. */
const mostPaths = 1000;
const mostBytes = 64 * 1024;

export async function resolveProvisions(
  repository: Repository,
  { link, copy }: Pick<Config['workspace'], 'link' | 'copy'>,
): Promise<Provisions> {
  const linked = await resolveAll(repository, 'link', link);
  const copied = await resolveAll(repository, 'copy', copy);
  const included = await includedPaths(repository);
  const unmatched = [...linked.unmatched, ...copied.unmatched, ...included.unmatched];
  const links = outermost(linked.paths);
  const isLinked = (path: string): boolean => links.some((one) => liesWithin(path, one) || liesWithin(one, path));
  const own = outermost([...copied.paths, ...included.paths]).filter((path) => !isLinked(path));
  refuseMany([...links, ...own]);
  const added = own.filter((path) => !copied.paths.includes(path)).length;
  return {
    link: links,
    copy: own,
    ...(added === 0 ? {} : { included: added }),
    ...(unmatched.length === 0 ? {} : { unmatched }),
  };
}

interface Resolved {
  readonly paths: readonly string[];
  /** Patterns without a match. */
  readonly unmatched: readonly string[];
}

async function resolveAll(repository: Repository, key: 'link' | 'copy', given: readonly string[]): Promise<Resolved> {
  const paths: string[] = [];
  const unmatched: string[] = [];
  for (const one of given) {
    if (!isPattern(one)) {
      await refuseMissing(repository, key, one);
      paths.push(one);
      continue;
    }
    const prefix = repository.prefix.replaceAll(/[\\*?[\]]/g, String.raw`\$&`);
    const found = await matches(repository, `--exclude=/${prefix}${one}`, one);
    if (found.length === 0) unmatched.push(`workspace.${key}: ${one}`);
    paths.push(...found);
  }
  return { paths, unmatched };
}

function readInclude(project: string): OwnText | undefined {
  try {
    return readOwnText(project, includeFile, mostBytes);
  } catch {
    return undefined;
  }
}

async function includedPaths(repository: Repository): Promise<Resolved> {
  const read = readInclude(repository.project);
  if (read === undefined || !('text' in read)) {
    const isUsable = read?.fault === 'missing' && !(await isThere(join(repository.project, includeFile)));
    return { paths: [], unmatched: isUsable ? [] : [`${includeFile} (not a small text file of this project)`] };
  }
  // Comments and exceptions name no file to copy.
  const patterns = read.text.replaceAll(/^[#!].*$/gm, '');
  if (patterns.trim() === '') return { paths: [], unmatched: [] };
  const paths = await matches(repository, `--exclude-per-directory=${includeFile}`, patterns);
  return { paths, unmatched: paths.length === 0 ? [includeFile] : [] };
}

/** Untracked files, and folders without any other file, that a pattern names; relative to the project. */
async function matches(repository: Repository, exclude: string, pattern: string): Promise<string[]> {
  const look = ['ls-files', '-z', '--others', '--ignored', '--directory', exclude];
  const place = { ...checkout(repository), directory: repository.project };
  const entries = fieldsOf((await git(place, look)).stdout).map(normalPath);
  const named = entries.filter((path) => path !== '.' && pathFault(path) === undefined && isMeant(path, pattern));
  const found: string[] = [];
  for (const path of outermost(named)) if (await isProvidable(repository, path)) found.push(path);
  return found;
}

/** Only a pattern that names `node_modules` reaches into it: installed packages have files such as `.env`, too. */
function isMeant(path: string, pattern: string): boolean {
  return path.split('/').every((part) => !dependencyFolders.has(part) || pattern.includes(part));
}

/** Inside the project also where it is a symlink; not ours, not git's, and not a repository of its own. */
async function isProvidable({ project }: Repository, path: string): Promise<boolean> {
  const place = await locate(project, path);
  if (isOwnFolder(path) || place.found !== 'inside' || isOwnFolder(relative(project, place.path))) return false;
  return place.isFile || ((await lstat(place.path)).isDirectory() && !(await isThere(join(place.path, '.git'))));
}

async function refuseMissing({ project }: Repository, key: 'link' | 'copy', path: string): Promise<void> {
  const place = await locate(project, path);
  if (place.found === 'inside' && !isOwnFolder(relative(project, place.path))) return;
  const name = oneLine(path, 200);
  const why =
    place.found === 'missing' ? 'does not exist in your checkout' : 'is a symlink out of the project or into .git';
  throw divisiError('WORKSPACE_PATH_MISSING', {
    message: `${name}, which every room gets (workspace.${key}), ${why}`,
    next: `Create it, or remove it from workspace.${key} in .divisi/config.yaml; a pattern such as ${name}* may match nothing.`,
    ids: { path },
  });
}

/** Without duplicates and paths inside another one. */
function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return [...all].filter((path) => !foldersOf(path).some((folder) => all.has(folder)));
}

function refuseMany(paths: readonly string[]): void {
  if (paths.length <= mostPaths) return;
  throw divisiError('CONFIG_INVALID', {
    message: `workspace.link, workspace.copy and ${includeFile} name ${paths.length} files for each room`,
    expected: `at most ${mostPaths} files and folders`,
    next: 'Name the folders that hold them, or install them with workspace.setup.',
  });
}
