/**
 * The run's branch into the user's own files, because a person asked for it: the only place that touches them. In a
 * repository it is the user's own `git merge`, with their hooks, signing and identity; in a folder that is none, files
 * are written. Whatever does not go together is found out before anything is changed.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../../base/text.ts';
import { divisiError } from '../../../base/error.ts';
import { foldersOf } from '../../../base/paths.ts';
import { isThere } from '../../project-path.ts';
import { branchHead } from '../branch-head.ts';
import { changesBetween, type DiffChange, projectPath, repositoryPath } from '../changes.ts';
import { commitFolder } from '../worktree/copy-store.ts';
import type { Identity } from '../commit-tree.ts';
import { complaint, failedGit, fieldsOf, git, gitAsUser, gitText } from '../git.ts';
import { checkedOut, isContained } from '../history.ts';
import { commitOf } from '../look-up.ts';
import { mergeTrees } from './merge-trees.ts';
import { checkout, type Repository, shared, withRepositoryLock } from '../repository.ts';

export interface HomeSpec {
  /** The run's own. */
  readonly branch: string;
  /** The commit that the run began at. */
  readonly base: string;
  readonly identity: Identity;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type HomeEnd =
  | { readonly kind: 'merged'; readonly files: readonly string[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

/** Throws `MERGE_REFUSED` where the checkout is in no state to be merged into, or the user's git or hooks refuse. */
export async function bringHome(repository: Repository, spec: HomeSpec): Promise<HomeEnd> {
  const head = await branchHead(repository, spec.branch);
  if (head === undefined) throw refused(`there is no branch ${spec.branch}`, 'Nothing was changed.');
  return repository.kind === 'git'
    ? mergeAsUser(repository, spec.branch, head)
    : withRepositoryLock(repository, () => writeFolder(repository, spec, head));
}

async function mergeAsUser(repository: Repository, branch: string, head: string): Promise<HomeEnd> {
  const place = checkout(repository);
  await refuseUnready(repository);
  const before = await gitText(place, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const contained = await git(place, ['merge-base', '--is-ancestor', head, before], { answers: [0, 1] });
  if (contained.code === 0) return { kind: 'nothing' };
  const merged = await mergeTrees(repository, before, head);
  if (merged.kind === 'conflict')
    return inConflict(
      repository,
      merged.unsettled.map(({ path }) => path),
    );
  const changes = await changesBetween(repository, before, merged.tree);
  await refuseOverwriting(repository, changes);

  // By its commit: a tag of the same name comes before the branch, and has been checked by nobody.
  const message = `Merge branch '${branch}'`;
  const args = ['merge', '--ff', '--commit', '--no-squash', '--no-edit', '--quiet', '-m', message, head];
  const said = await gitAsUser(place, args, { answers: Array.from({ length: 256 }, (_, code) => code) });
  if (said.code === 0) return { kind: 'merged', files: changes.map(({ path }) => path) };
  const open = fieldsOf((await git(place, ['diff', '--name-only', '--diff-filter=U', '-z'])).stdout);
  if (await isUnderWay(repository, 'MERGE_HEAD')) await gitAsUser(place, ['merge', '--abort']);
  if (open.length > 0) return inConflict(repository, open);
  throw refused(
    complaint({ ...said, stderr: said.stderr || said.stdout.toString('utf8') }),
    'The checkout is as it was.',
  );
}

function inConflict(repository: Repository, paths: readonly string[]): HomeEnd {
  return { kind: 'conflict', files: paths.map((path) => projectPath(repository, path)) };
}

/** What git is in the middle of, by the file that it keeps meanwhile. */
const underWay: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
};

export async function whatIsUnderWay(repository: Repository): Promise<string | undefined> {
  for (const [file, what] of Object.entries(underWay)) if (await isUnderWay(repository, file)) return what;
  return undefined;
}

async function refuseUnready(repository: Repository): Promise<void> {
  const what = await whatIsUnderWay(repository);
  if (what !== undefined) throw refused(`${what} is in progress in the checkout`, 'End or abort it first.');
  const onBranch = await git(checkout(repository), ['symbolic-ref', '--quiet', 'HEAD'], { answers: [0, 1] });
  if (onBranch.code !== 0)
    throw refused('the checkout is on no branch', 'Switch to the branch that is to have the work.');
}

async function isUnderWay(repository: Repository, file: string): Promise<boolean> {
  const path = await gitText(checkout(repository), ['rev-parse', '--path-format=absolute', '--git-path', file]);
  return isThere(path);
}

/** Git overwrites ignored files without a word: they may be the only copy of something. */
async function refuseOverwriting(repository: Repository, changes: readonly DiffChange[]): Promise<void> {
  const added = changes.filter(({ change }) => change === 'added').map(({ path }) => repositoryPath(repository, path));
  const asked = new Set(added);
  for (const path of added) {
    for (const folder of foldersOf(path)) if (await isNoFolder(join(repository.top, folder))) asked.add(folder);
  }
  const unknown: string[] = [];
  for (const some of chunks([...asked], 200)) {
    const look = ['--literal-pathspecs', 'ls-files', '-z', '--others', '--', ...some];
    unknown.push(...fieldsOf((await git(checkout(repository), look)).stdout));
  }
  if (unknown.length === 0) return;
  const names = oneLine(unknown.slice(0, 10).join(', '), 400);
  throw refused(`files that git does not know of would be overwritten: ${names}`, 'Move them away first.');
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** What the folder holds now counts as the user's side; the files are written only if the two go together. */
async function writeFolder(repository: Repository, spec: HomeSpec, head: string): Promise<HomeEnd> {
  const { base, identity, at } = spec;
  const message = 'The folder as it was before the work came home';
  const now = await commitFolder(repository, { parents: [base], message, identity, at });
  const merged = await mergeTrees(repository, now, head);
  if (merged.kind === 'conflict')
    return inConflict(
      repository,
      merged.unsettled.map(({ path }) => path),
    );
  const changes = await changesBetween(repository, now, merged.tree);
  await refuseOverwriting(repository, changes);
  // Git looks at each file once more, and refuses before it writes the first where one has changed meanwhile.
  const written = await git(checkout(repository), ['read-tree', '-m', '-u', now, merged.tree], { answers: [0, 128] });
  if (written.code !== 0) throw failedGit('read-tree', written);
  await git(shared(repository), ['update-ref', homeMark(spec.branch), head]);
  return changes.length === 0 ? { kind: 'nothing' } : { kind: 'merged', files: changes.map(({ path }) => path) };
}

/** A folder has no history that would tell what has come home: it is noted in the store. */
export function homeMark(branch: string): string {
  return `refs/divisi/home/${branch}`;
}

/** Whether the user has what is at this commit of the run's branch. */
export async function isAtHome(
  repository: Repository,
  { branch, base }: Pick<HomeSpec, 'branch' | 'base'>,
  commit: string,
): Promise<boolean> {
  if (repository.kind === 'git') {
    const here = await checkedOut(repository);
    return here !== undefined && isContained(repository, commit, here.commit);
  }
  return commit === base || commit === (await commitOf(repository, homeMark(branch)));
}

async function isNoFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (facts) => !facts.isDirectory(),
    () => false,
  );
}

function refused(why: string, next: string): Error {
  return divisiError('MERGE_REFUSED', { message: `the work was not merged: ${why}`, next });
}
