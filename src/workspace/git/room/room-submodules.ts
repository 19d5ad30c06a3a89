/**
 * Room submodules: the files of submodules in a room, at the commits that the room's commit names. They come from the repositories that
 * the user's checkout has for them, never from the network, and are for reading: a room's snapshot keeps the commits as they are, and
 * changes inside are reported.
 *
 * No git of ours runs with a submodule's `.git` of the room, which belongs to the agent.
 */
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { defined } from '../../../base/defined.ts';
import { isMissing, isThere } from '../../project-path.ts';
import { type DiffChange, projectPath } from '../changes.ts';
import type { CommitIdentity } from '../commit-tree.ts';
import { fieldsOf, type GitPlace, git } from '../git.ts';
import type { Repository } from '../repository.ts';
import { fileSettings } from './file-settings.ts';
import { writeRoomGit } from './room-git.ts';
import { copyIndex, recordFile, recordFolder } from './room-record.ts';

export interface Submodule {
  /** Relative to the repository's top. */
  readonly path: string;
  readonly commit: string;
}

type IndexPlace = GitPlace & { readonly index: string };

/** Git's mode for a submodule, as four bytes of an index file. */
const modeBytes = Buffer.from([0, 0, 0xe0, 0]);

/** The submodules in an index. Repositories without any cost no process: the bytes of the mode are not in the file. */
export async function submodulesIn(place: IndexPlace): Promise<Submodule[]> {
  if (!(await readFile(place.index)).includes(modeBytes)) return [];
  const { stdout } = await git(place, ['ls-files', '--stage', '-z']);
  return submodulesAmong(fieldsOf(stdout));
}

/** From the lines of `ls-files --stage` or of `ls-tree`: mode, perhaps a type, hash, tab, path. */
export function submodulesAmong(entries: readonly string[]): Submodule[] {
  return entries.flatMap((entry) => {
    const tab = entry.indexOf('\t');
    const commit = entry
      .slice(0, tab)
      .split(' ')
      .find((word) => /^[0-9a-f]{40,64}$/.test(word));
    return entry.startsWith('160000 ') && commit !== undefined ? [{ path: entry.slice(tab + 1), commit }] : [];
  });
}

/** The git directory of a submodule that is initialised in the user's checkout and has the commit. */
export async function submoduleSource(
  repository: Repository,
  { path, commit }: Submodule,
): Promise<string | undefined> {
  const folder = join(repository.top, path);
  const gitDir = await gitDirIn(folder);
  if (gitDir === undefined || !(await isThere(join(gitDir, 'objects')))) return undefined;
  const place = { environment: repository.environment, gitDir, directory: gitDir };
  const asked = await git(place, ['cat-file', '-e', '--end-of-options', `${commit}^{commit}`], {
    answers: [0, 1, 128],
  });
  return asked.code === 0 ? gitDir : undefined;
}

/** `.git` is a folder, or a file that names one. */
async function gitDirIn(folder: string): Promise<string | undefined> {
  const at = join(folder, '.git');
  try {
    if ((await lstat(at)).isDirectory()) return await realpath(at);
    const [, named] = /^gitdir: (.+)$/m.exec(await readFile(at, 'utf8')) ?? [];
    return named === undefined ? undefined : await realpath(resolve(folder, named));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A submodule of a room, and where its files came from; without that, it was left empty. */
const carriedSchema = z.array(z.strictObject({ path: z.string(), gitDir: z.optional(z.string()) }));
type Carried = z.infer<typeof carriedSchema>[number];

/** Writes the files of submodules, and of those inside them, to a new room. One that the user has not initialised stays empty. */
export async function layOutSubmodules(
  repository: Repository,
  { folder, place }: { readonly folder: string; readonly place: IndexPlace },
  identity: CommitIdentity,
): Promise<void> {
  const carried: Carried[] = [];
  const open = await submodulesIn(place);
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const { path, commit } = one;
    const gitDir = await submoduleSource(repository, one);
    carried.push({ path, ...defined({ gitDir }) });
    if (gitDir === undefined) continue;
    const workTree = join(folder, path);
    await writeRoomGit({ gitDir }, { folder: workTree, commit, identity, settings: await fileSettings(repository) });
    const inner = placeOf(repository, folder, { path, gitDir }, place.signal);
    await git(inner, ['read-tree', '--reset', '-u', '--end-of-options', commit]);
    await copyIndex(inner.index, join(workTree, '.git/index'));
    open.push(...(await submodulesIn(inner)).map((below) => ({ ...below, path: `${path}/${below.path}` })));
  }
  if (carried.length > 0) await writeFile(await recordFile(repository, folder, recordName), JSON.stringify(carried));
}

const recordName = 'submodules';

/** Git on the files of one submodule, with the user's repository of it and an index of ours. */
function placeOf(
  repository: Repository,
  folder: string,
  { path, gitDir }: { readonly path: string; readonly gitDir: string },
  signal?: AbortSignal,
): IndexPlace {
  const name = `submodule-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
  const index = join(recordFolder(repository, folder), name);
  return {
    environment: repository.environment,
    gitDir,
    workTree: join(folder, path),
    directory: gitDir,
    index,
    signal,
  };
}

/** Takes the files that set-up has left in submodules as those that the agent finds. */
export async function acceptSubmodules(repository: Repository, folder: string): Promise<void> {
  const carried = await carriedIn(repository, folder);
  for (const { path, gitDir } of carried) {
    if (gitDir === undefined || !(await isFolder(folder, path))) continue;
    const add = ['add', '-A', '--ignore-errors', '--', ...pathsOf(path, carried)];
    await git(placeOf(repository, folder, { path, gitDir }), add, { answers: [0, 1, 128] });
  }
}

/** The changes inside a room's submodules. */
export async function changesInSubmodules(repository: Repository, folder: string): Promise<DiffChange[]> {
  const found = new Map<string, DiffChange['change']>();
  const carried = await carriedIn(repository, folder);
  for (const { path, gitDir } of carried) {
    if (!(await isFolder(folder, path))) {
      if (gitDir !== undefined) found.set(path, 'deleted');
    } else if (gitDir === undefined) {
      if ((await readdir(join(folder, path))).length > 0) found.set(path, 'added');
    } else {
      const look = ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard', '--'];
      const { stdout } = await git(placeOf(repository, folder, { path, gitDir }), [...look, ...pathsOf(path, carried)]);
      for (const [below, change] of readTags(fieldsOf(stdout))) found.set(`${path}/${below}`, change);
    }
  }
  return Array.from(found, ([path, change]) => ({
    path: projectPath(repository, path),
    change,
    mode: '100644',
    isInSubmodule: true,
    binary: false,
    linesAdded: 0,
    linesDeleted: 0,
  }));
}

async function carriedIn(repository: Repository, folder: string): Promise<Carried[]> {
  try {
    return carriedSchema.parse(JSON.parse(await readFile(join(recordFolder(repository, folder), recordName), 'utf8')));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Not a file or a symlink that the agent put in its place. */
async function isFolder(folder: string, path: string): Promise<boolean> {
  try {
    const real = await realpath(join(folder, path));
    return real === join(await realpath(folder), path) && (await lstat(real)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Everything in a submodule but the submodules inside it. */
function pathsOf(path: string, all: readonly Carried[]): string[] {
  const inner = all.filter((one) => one.path.startsWith(`${path}/`)).map((one) => one.path.slice(path.length + 1));
  return [':/', ...inner.map((below) => `:(top,exclude,literal)${below}`)];
}

const tags: Readonly<Record<string, DiffChange['change']>> = { C: 'edited', R: 'deleted', '?': 'added' };

/** `C path`. A deleted file is listed as changed, too. */
function readTags(fields: readonly string[]): Map<string, DiffChange['change']> {
  const found = new Map<string, DiffChange['change']>();
  for (const field of fields) {
    const path = field.slice(2).replace(/\/$/, '');
    const change = tags[field.slice(0, 1)];
    if (change !== undefined && found.get(path) !== 'deleted') found.set(path, change);
  }
  return found;
}
