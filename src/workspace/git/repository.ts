/**
 * Finds the repository that a project's work goes through: its own, or a private one in its state folder for a plain folder.
 * Creates and changes nothing.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { divisiError } from '../../base/error.ts';
import { withFileLock } from '../../ledger/file-lock.ts';
import { projectKey, roomsRoot, stateFolder } from '../places.ts';
import { usedRoomsFolder } from '../state-folder.ts';
import { chosenRooms } from '../user-config.ts';
import { fileNamesIn } from './file-names.ts';
import { complaint, type GitPlace, git, gitText } from './git.ts';

export interface Repository {
  /** `git`: the project's own repository. `copy`: a private one with a copy of the folder. */
  readonly kind: 'git' | 'copy';
  /** The common git directory of the user's worktrees, absolute. */
  readonly gitDir: string;
  /** The top of the user's checkout. */
  readonly top: string;
  /** From there to the project: empty or `packages/a/`. */
  readonly prefix: string;
  readonly project: string;
  /** The folders of this project outside the checkout, see `workspace/places.ts`. */
  readonly rooms: string;
  readonly state: string;
  /** This process's environment. */
  readonly environment: NodeJS.ProcessEnv;
}

/** The first version with `merge-tree --write-tree`. */
const oldest = [2, 38] as const;

const questions = ['--git-common-dir', '--show-toplevel', '--show-prefix'];

export async function findRepository(project: string, environment: NodeJS.ProcessEnv): Promise<Repository> {
  const directory = await realpath(project);
  const place: GitPlace = { environment, directory };
  const state = stateFolder(directory, environment);
  const outside = { rooms: await roomsOf(directory, state, environment), state };
  await checkGit(place);
  // One call: starting git takes longer than the answers. The last two are refused outside a checkout.
  const asked = await git(place, ['rev-parse', '--is-inside-work-tree', '--path-format=absolute', ...questions], {
    answers: [0, 128],
  });
  const [isInside, gitDir = '', top = '', ...rest] = asked.stdout.toString('utf8').split('\n');
  const prefix = rest.slice(0, -1).join('\n');
  if (isInside === 'false') throw bare();
  if (asked.code !== 0) {
    // `not a git repository: /gone/…` is a repository whose git directory is missing.
    if (!asked.stderr.includes('not a git repository (or any')) throw unreadable(complaint(asked));
    return copyOf(directory, outside, environment);
  }
  if (prefix !== '' && (await isIgnoredThere(place, prefix))) return copyOf(directory, outside, environment);
  return { kind: 'git', gitDir: await realpath(gitDir), top, prefix, project: directory, ...outside, environment };
}

/** Where the rooms of the project are while it has some, whatever has been moved or chosen since; else where new ones go. */
export async function roomsOf(project: string, state: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const used = await usedRoomsFolder(state);
  if (used !== undefined && (await fileNamesIn(used)).some((name) => !name.startsWith('.'))) return used;
  return join(roomsRoot(environment, await chosenRooms(environment)), projectKey(project));
}

type Outside = Pick<Repository, 'rooms' | 'state'>;

function copyOf(project: string, outside: Outside, environment: NodeJS.ProcessEnv): Repository {
  const gitDir = join(outside.state, 'store.git');
  return { kind: 'copy', gitDir, top: project, prefix: '', project, ...outside, environment };
}

/** Git on the repository itself: commits, branches, trees. Touches no files. */
export function shared(repository: Repository, signal?: AbortSignal): GitPlace {
  const { environment, gitDir } = repository;
  return { environment, gitDir, directory: gitDir, signal };
}

/** Git on the user's checkout; only `mergeBranchIntoCheckout` changes anything there. */
export function checkout(repository: Repository, signal?: AbortSignal): GitPlace {
  const { environment, kind, gitDir, top } = repository;
  return { environment, directory: top, signal, ...(kind === 'git' ? {} : { gitDir, workTree: top }) };
}

/** The lock for changes of refs. */
export function withRepositoryLock<T>(
  repository: Repository,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return withFileLock(join(repository.gitDir, 'divisi.lock'), work, { signal });
}

/** The lock for merges, one at a time. Taken before the repository's lock, never inside it. */
export function withMergeLock<T>(repository: Repository, work: () => Promise<T>): Promise<T> {
  return withFileLock(join(repository.gitDir, 'divisi-merge.lock'), work);
}

/** The version of git; refuses one that cannot merge without a checkout. */
export async function checkGit(place: GitPlace): Promise<string> {
  const version = await gitText(place, ['version']);
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const [has, needs] = [Number(major) * 1000 + Number(minor), oldest[0] * 1000 + oldest[1]];
  if (has >= needs) return version;
  throw divisiError('GIT_MISSING', {
    message: 'this git is too old',
    expected: `git ${oldest.join('.')} or newer`,
    got: version,
    next: 'Install a newer git, or put it first on the PATH.',
  });
}

async function isIgnoredThere(place: GitPlace, prefix: string): Promise<boolean> {
  const top = await gitText(place, ['rev-parse', '--show-toplevel']);
  const asked = await git({ ...place, directory: top }, ['check-ignore', '-q', '--', prefix], { answers: [0, 1] });
  return asked.code === 0;
}

function unreadable(why: string): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', {
    message: `git cannot work with this repository: ${why}`,
    next: 'Make `git status` work in this folder first.',
  });
}

function bare(): Error {
  return divisiError('WORKSPACE_UNSUPPORTED', {
    message: 'this is a git directory, not a checkout',
    next: 'Start in a checkout: git worktree add ../checkout, or git clone.',
  });
}
