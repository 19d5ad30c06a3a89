/**
 * Commits an agent's files as they are now on top of the base it started from, whatever the agent did to the index,
 * HEAD or branches. The agent's index is ignored: a copy of the one from the checkout is updated from the files.
 * Ignored files and changes made by set-up are left out. The same files and arguments produce the same commit.
 *
 * Files that git refuses do not fail the snapshot: they are left out, and git's message is part of the answer.
 */
import { defined } from '../../../base/defined.ts';
import { randomBytes } from 'node:crypto';
import { lstat, rm } from 'node:fs/promises';
import { systemCode } from '../../../base/error.ts';
import { changesBetween, type DiffChange, projectPath, repositoryPath } from '../changes.ts';
import { treeOf } from '../commit-of.ts';
import { commitTree, type CommitIdentity } from '../commit-tree.ts';
import { isMissing } from '../../project-path.ts';
import { randomName } from '../../random-name.ts';
import { complaint, failedGit, fieldsOf, type GitPlace, type GitSaid, git, gitText } from '../git.ts';
import { putBack } from './put-back.ts';
import { type SizeLimits, tooLarge } from './refuse-large.ts';
import { type Repository, shared, withRepositoryLock } from '../repository.ts';
import { updateRefs } from '../update-refs.ts';
import { copyIndex, pristineIndex, recordFile } from './room-record.ts';
import { changesInSubmodules, submodulesIn } from './room-submodules.ts';
import { realRoom } from './rooms-folder.ts';

export interface SnapshotSpec {
  /** The room, absolute. */
  readonly folder: string;
  /** The commit the room started from. */
  readonly base: string;
  /** Relative to the project: never part of the work. */
  readonly exclude: readonly string[];
  /** The most bytes of it. */
  readonly size?: SizeLimits | undefined;
  /** From `keepSetUp`: its changes that the agent left alone are not part of the work. */
  readonly setUp?: string | undefined;
  readonly identity: CommitIdentity;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly message: string;
  /** A branch to move to the commit; absent while an agent is still running on it. */
  readonly branch?: string;
}

export interface RoomSnapshot {
  /** Absent if nothing changed. */
  readonly commit?: string;
  readonly changes: readonly DiffChange[];
  /** Paths that are as set-up left them, and so not part of the work. */
  readonly bySetUp: readonly string[];
  /** Why git refuses some or all of the files; absent if it accepts them all. */
  readonly refused?: string;
}

/** Undefined if the folder is gone or replaced by something else. */
export async function snapshotRoom(
  repository: Repository,
  spec: SnapshotSpec,
  signal?: AbortSignal,
): Promise<RoomSnapshot | undefined> {
  const { folder, base, identity, at, message, branch } = spec;
  if (!(await isInPlace(repository, folder))) return undefined;
  const { tree, embedded, ...found } = await withFreshIndex(repository, folder, base, signal, (place) =>
    treeOfFiles(repository, place, spec),
  );
  if (tree === undefined || tree === (await treeOf(repository, base))) return { changes: embedded, ...found };
  const commit = await commitTree(repository, { tree, parents: [base], message, identity, at });
  if (branch !== undefined) await setBranch(repository, branch, commit);
  const changes = [...(await changesBetween(repository, base, commit)), ...embedded];
  return { commit, changes, ...found };
}

/** The tree of the files as they are; undefined if git refuses some of them or the folder is gone. */
export async function treeOfRoom(
  repository: Repository,
  { folder, base, exclude, size }: Pick<SnapshotSpec, 'folder' | 'base' | 'exclude' | 'size'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (!(await isInPlace(repository, folder))) return undefined;
  const { tree, refused } = await withFreshIndex(repository, folder, base, signal, (place) =>
    treeOfFiles(repository, place, { exclude, size }),
  );
  return refused === undefined ? tree : undefined;
}

/** Not a symlink that the agent put there, such as one to the user's checkout. */
async function isInPlace(repository: Repository, folder: string): Promise<boolean> {
  const at = await realRoom(repository, folder);
  if (at === undefined) return false;
  try {
    return (await lstat(at)).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

type IndexedRoom = GitPlace & Required<Pick<GitPlace, 'index' | 'workTree'>>;

/** Runs work with an index file of its own that holds the base, and removes it afterwards. */
async function withFreshIndex<T>(
  repository: Repository,
  folder: string,
  base: string,
  signal: AbortSignal | undefined,
  work: (place: IndexedRoom) => Promise<T>,
): Promise<T> {
  // In a folder that is removed with the room: a killed process leaves nothing for long.
  const index = await recordFile(repository, folder, `index-${process.pid}-${randomName()}`);
  const place = { ...shared(repository, signal), workTree: folder, index };
  try {
    // Without the index of the checkout, every file is read.
    if (!(await copied(pristineIndex(repository, folder), index)))
      await git(place, ['read-tree', '--end-of-options', base]);
    return await work(place);
  } finally {
    await Promise.all([index, `${index}.lock`].map((file) => rm(file, { force: true })));
  }
}

async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyIndex(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

interface Files extends Pick<RoomSnapshot, 'refused' | 'bySetUp'> {
  /** Absent if git gave up on all files. */
  readonly tree?: string;
  /** Changes that are not in the tree: of repositories inside. */
  readonly embedded: readonly DiffChange[];
}

async function treeOfFiles(
  repository: Repository,
  place: IndexedRoom,
  { exclude, setUp, size }: Pick<SnapshotSpec, 'exclude' | 'setUp' | 'size'>,
): Promise<Files> {
  // The commits of submodules stay as they are; git would look into their `.git`, which is the agent's.
  const submodules = await submodulesIn(place);
  const left = [...exclude.map((path) => repositoryPath(repository, path)), ...submodules.map(({ path }) => path)];
  const paths = [':/', ...left.map((path) => `:(top,exclude,literal)${path}`)];
  const large = await tooLarge(repository, place, paths, size);
  if (large !== undefined) return { embedded: [], bySetUp: [], refused: large };
  const added = await git(place, ['add', '-A', '--ignore-errors', '--', ...paths], { answers: [0, 1, 128] });
  const refused = await refusalOf(repository, added);
  if (added.code === 128 && refused !== undefined) return { embedded: [], bySetUp: [], refused };
  const embedded = [
    ...(added.code === 1 ? await withoutCommit(repository, place, paths) : []),
    ...(submodules.length === 0 ? [] : await changesInSubmodules(repository, place.workTree)),
  ];
  const back = setUp === undefined ? [] : await putBack(place, setUp);
  const bySetUp = back.map((path) => projectPath(repository, path));
  const tree = await gitText(place, ['write-tree']);
  return { tree, embedded, bySetUp, ...defined({ refused }) };
}

/** The files are at fault if the repository still accepts other input; anything else is a failure. */
async function refusalOf(repository: Repository, added: GitSaid): Promise<string | undefined> {
  if (added.code === 0) return undefined;
  const lines = added.stderr.split('\n').filter((line) => /^(?:error|fatal):/.test(line) && !isAboutCommit(line));
  if (lines.length === 0 && added.code === 1) return undefined;
  const said = { code: added.code, stderr: lines.join('\n') };
  const input = randomBytes(16);
  const probe = await git(shared(repository), ['hash-object', '-w', '--stdin'], { input, answers: [0, 1, 128] });
  if (probe.code !== 0) throw failedGit('add', said);
  return complaint(said);
}

/** A nested repository without a commit cannot be added; git continues with the rest. */
async function withoutCommit(repository: Repository, place: GitPlace, paths: readonly string[]): Promise<DiffChange[]> {
  const { stdout } = await git(place, ['ls-files', '-z', '--others', '--exclude-standard', '--', ...paths]);
  const inside = fieldsOf(stdout).filter((path) => path.endsWith('/'));
  return inside.map((path) => ({
    path: projectPath(repository, path.slice(0, -1)),
    change: 'added',
    mode: '160000',
    binary: false,
    linesAdded: 0,
    linesDeleted: 0,
  }));
}

const isAboutCommit = (line: string): boolean =>
  line.includes('does not have a commit checked out') || line === 'fatal: adding files failed';

async function setBranch(repository: Repository, branch: string, to: string): Promise<void> {
  await withRepositoryLock(repository, () => updateRefs(repository, [{ ref: `refs/heads/${branch}`, to }]));
}
