/** Reads commits and files without changing anything: contents, differences, ignored paths. */
import { join } from 'node:path';
import { pathFault } from '../../base/paths.ts';
import { projectPath, repositoryPath } from './changes.ts';
import { fieldsOf, type GitPlace, git } from './git.ts';
import { type Repository, shared } from './repository.ts';
import { pristineIndex } from './room/room-record.ts';
import { isRoomPath } from './room/rooms-folder.ts';

/** Command lines have a maximum length. */
const atOnce = 200;

/** File contents at a commit, by project path; missing files are left out. */
export async function filesAt(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const found = await entriesAt(repository, commit, paths);
  return new Map(found.flatMap(({ type, path, id }) => (type === 'blob' ? [[path, id]] : [])));
}

/** Those of the paths that are there at a commit, folders included. */
export async function pathsAt(repository: Repository, commit: string, paths: readonly string[]): Promise<Set<string>> {
  return new Set((await entriesAt(repository, commit, paths)).map(({ path }) => path));
}

interface TreeEntry {
  readonly type: string;
  readonly id: string;
  readonly path: string;
}

async function entriesAt(repository: Repository, commit: string, paths: readonly string[]): Promise<TreeEntry[]> {
  const found: TreeEntry[] = [];
  for (let at = 0; at < paths.length; at += atOnce) {
    const some = paths.slice(at, at + atOnce).map((path) => repositoryPath(repository, path));
    const look = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', '--end-of-options', commit, '--', ...some];
    for (const entry of fieldsOf((await git(shared(repository), look)).stdout)) {
      const tab = entry.indexOf('\t');
      const [, type = '', id = ''] = entry.slice(0, tab).split(' ');
      found.push({ type, id, path: projectPath(repository, entry.slice(tab + 1)) });
    }
  }
  return found;
}

/** The regular files of the project at a commit, in these paths or below them; of all of it without paths. */
export async function filesBelow(repository: Repository, commit: string, paths: readonly string[]): Promise<string[]> {
  const { prefix } = repository;
  const isWhole = paths.length === 0 || paths.includes('.');
  const places = isWhole ? (prefix === '' ? [] : [prefix]) : paths.map((path) => repositoryPath(repository, path));
  const look = [
    '--literal-pathspecs',
    'ls-tree',
    '-r',
    '-z',
    '--full-tree',
    '--end-of-options',
    commit,
    '--',
    ...places,
  ];
  return fieldsOf((await git(shared(repository), look)).stdout).flatMap((entry) => {
    return entry.startsWith('100') ? [projectPath(repository, entry.slice(entry.indexOf('\t') + 1))] : [];
  });
}

/** Which of these project paths are folders at a commit. */
export async function foldersAt(
  repository: Repository,
  commit: string,
  paths: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let at = 0; at < paths.length; at += atOnce) {
    const some = paths.slice(at, at + atOnce).map((path) => repositoryPath(repository, path));
    const look = [
      '--literal-pathspecs',
      'ls-tree',
      '-z',
      '-d',
      '--name-only',
      '--full-tree',
      '--end-of-options',
      commit,
      '--',
      ...some,
    ];
    for (const path of fieldsOf((await git(shared(repository), look)).stdout)) found.add(projectPath(repository, path));
  }
  return found;
}

/** Deleted files matched with new files of similar content: new path → old path. */
export async function renamesBetween(
  repository: Repository,
  base: string,
  commit: string,
): Promise<Map<string, string>> {
  const shape = ['-r', '-M', '-l1000', '-z', '--name-status', '--diff-filter=R', '--no-ext-diff', '--no-textconv'];
  const fields = fieldsOf(
    (await git(shared(repository), ['diff-tree', ...shape, '--end-of-options', base, commit])).stdout,
  );
  const renames = new Map<string, string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [from = '', to = ''] = fields.slice(at + 1, at + 3).map((path) => projectPath(repository, path));
    renames.set(to, from);
  }
  return renames;
}

/** The content of a project file at a commit; undefined if it does not exist there. */
export async function committedText(repository: Repository, commit: string, path: string): Promise<string | undefined> {
  const blob = (await filesAt(repository, commit, [path])).get(path);
  return blob === undefined ? undefined : blobText(repository, blob);
}

/** The content of a blob, such as the target of a symlink. */
export async function blobText(repository: Repository, blob: string): Promise<string> {
  return (await git(shared(repository), ['cat-file', 'blob', '--end-of-options', blob])).stdout.toString('utf8');
}

/** The contents of blobs, such as the targets of symlinks, by their names; one process for all of them. */
export async function blobTexts(
  repository: Repository,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (blobs.length === 0) return new Map();
  const input = [...new Set(blobs)].map((blob) => `${blob}\n`).join('');
  const { stdout } = await git(shared(repository), ['cat-file', '--batch'], { input });
  const texts = new Map<string, string>();
  for (let at = 0; at < stdout.length;) {
    const end = stdout.indexOf('\n', at);
    const [blob = '', type, size = '0'] = stdout.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    texts.set(blob, stdout.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
}

export interface DiffSpec {
  readonly from: string;
  readonly to: string;
  /** One line per file instead of its changed lines. */
  readonly stat?: boolean;
  /** Of the project; all files when absent. */
  readonly paths?: readonly string[];
}

const mostDiff = 16 * 1024 * 1024;

/** Uncoloured and unescaped: the caller escapes it. A longer diff is cut. */
export async function diffText(
  repository: Repository,
  { from, to, stat = false, paths = [] }: DiffSpec,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const shape = ['--no-color', '--no-ext-diff', '--no-textconv', ...(stat ? ['--stat=100'] : ['--patch'])];
  const only = paths.map((path) => repositoryPath(repository, path));
  const { stdout, cut } = await git(
    shared(repository),
    ['--literal-pathspecs', 'diff', ...shape, '--end-of-options', from, to, '--', ...only],
    {
      most: mostDiff,
      beyond: 'cut',
    },
  );
  return { text: stdout.toString('utf8'), isCut: cut };
}

/** Which of these project paths the ignore files of a room, or of the checkout, exclude. `workTree` is its top, absolute. */
export async function ignoredPaths(
  repository: Repository,
  workTree: string,
  paths: readonly string[],
): Promise<Set<string>> {
  // The index holds the base's files: tracked files are not ignored.
  const isRoom = isRoomPath(repository, workTree);
  const index = isRoom ? pristineIndex(repository, workTree) : join(repository.gitDir, 'divisi-no-index');
  const place = { ...shared(repository), workTree, directory: workTree, index };
  const asked = paths.filter((path) => pathFault(path) === undefined).map((path) => repositoryPath(repository, path));
  const ignored = (await ignoredOf(place, asked)) ?? (await ignoredOneByOne(place, asked));
  return new Set(ignored.map((path) => projectPath(repository, path)));
}

/** Undefined if git refuses to answer: one path beyond a symlink spoils the answer for all of them. */
async function ignoredOf(place: GitPlace, paths: readonly string[]): Promise<string[] | undefined> {
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join('');
  const said = await git(place, ['check-ignore', '-z', '--stdin'], { input, answers: [0, 1, 128] });
  return said.code === 128 ? undefined : fieldsOf(said.stdout);
}

async function ignoredOneByOne(place: GitPlace, paths: readonly string[]): Promise<string[]> {
  const ignored: string[] = [];
  for (const path of paths) ignored.push(...((await ignoredOf(place, [path])) ?? []));
  return ignored;
}
