/**
 * Merges the run's branch into the user's checkout, because a person asked for it: the only place that changes it. In
 * a repository this is the user's own `git merge`, with their signing, identity and, unless the work changes them, hooks; in a plain folder, files
 * are written. Conflicts are detected before anything is changed.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { oneLine } from '../../../base/text.ts';
import { divisiError } from '../../../base/error.ts';
import { foldersOf } from '../../../base/paths.ts';
import { isThere } from '../../project-path.ts';
import { branchHead, commitOf } from '../commit-of.ts';
import { changesBetween, type DiffChange, projectPath, repositoryPath } from '../changes.ts';
import { commitFolder } from '../room/copy-store.ts';
import type { CommitIdentity } from '../commit-tree.ts';
import { complaint, failedGit, fieldsOf, git, gitAsUser, gitText } from '../git.ts';
import { checkedOut, isContained } from '../history.ts';
import { changedHooks } from './hooks-folder.ts';
import { isSquashed, mergeCommit, type MergeStyle, signsCommits, squashCommit } from './merge-style.ts';
import { updateRefs } from '../update-refs.ts';
import { mergeTrees } from './merge-trees.ts';
import { checkout, type Repository, withRepositoryLock } from '../repository.ts';

export interface CheckoutMerge {
  /** The run's branch. */
  readonly branch: string;
  /** The commit the run started from. */
  readonly base: string;
  readonly identity: CommitIdentity;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly style: MergeStyle;
  /** Of a squashed commit, without its trailer. */
  readonly message: string;
  /** The commits of the tasks are signed. */
  readonly isSigned: boolean;
}

/** A folder without git gets files. */
export type MergedAs = 'fast-forward' | 'merge' | 'squash' | 'files';

export type CheckoutMergeEnd =
  /** `isSigned`: the commit that the merge made is. */
  | { readonly kind: 'merged'; readonly files: readonly string[]; readonly as: MergedAs; readonly isSigned: boolean }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflict'; readonly files: readonly string[] };

/** Throws `MERGE_REFUSED` if the checkout is not ready for a merge, or the user's git or hooks refuse it. */
export async function mergeBranchIntoCheckout(repository: Repository, spec: CheckoutMerge): Promise<CheckoutMergeEnd> {
  const head = await branchHead(repository, spec.branch);
  if (head === undefined) throw refused(`there is no branch ${spec.branch}`, 'Nothing was changed.');
  if (repository.kind === 'git') return mergeAsUser(repository, spec, head);
  if (spec.style !== 'usual') throw refused('this folder is not a git repository', 'Omit --squash and --no-ff.');
  return withRepositoryLock(repository, () => writeFolder(repository, spec, head));
}

async function mergeAsUser(repository: Repository, spec: CheckoutMerge, head: string): Promise<CheckoutMergeEnd> {
  const place = checkout(repository);
  await refuseUnready(repository);
  const before = await gitText(place, ['rev-parse', '--verify', 'HEAD^{commit}']);
  const contained = await git(place, ['merge-base', '--is-ancestor', '--end-of-options', head, before], {
    answers: [0, 1],
  });
  if (contained.code === 0 || (await isSquashed(repository, spec.base, head))) return { kind: 'nothing' };
  const merged = await mergeTrees(repository, before, head);
  if (merged.kind === 'conflict')
    return inConflict(
      repository,
      merged.unsettled.map(({ path }) => path),
    );
  const changes = await changesBetween(repository, before, merged.tree);
  await refuseOverwriting(repository, changes);

  const { style, branch, message } = spec;
  // Git would run what the merge has just brought.
  const runsHooks = (await changedHooks(repository, changes)).length === 0;
  const isSigned = await signsCommits(repository);
  const isFastForward = style === 'usual' && (!isSigned || spec.isSigned);
  const said =
    style === 'squash'
      ? await squashCommit(repository, { tree: merged.tree, onto: before, head, message, isSigned, runsHooks })
      : await mergeCommit(repository, { branch, head, isFastForward, runsHooks });
  if (said.code === 0) {
    const isHead = (await gitText(place, ['rev-parse', '--verify', 'HEAD^{commit}'])) === head;
    const as = isHead ? 'fast-forward' : style === 'squash' ? 'squash' : 'merge';
    return { kind: 'merged', files: changes.map(({ path }) => path), as, isSigned: isSigned && !isHead };
  }
  const open = fieldsOf((await git(place, ['diff', '--name-only', '--diff-filter=U', '-z'])).stdout);
  if (await isInProgress(repository, 'MERGE_HEAD')) await gitAsUser(place, ['merge', '--abort']);
  if (open.length > 0) return inConflict(repository, open);
  throw refused(
    complaint({ ...said, stderr: said.stderr || said.stdout.toString('utf8') }),
    'The checkout is as it was.',
  );
}

function inConflict(repository: Repository, paths: readonly string[]): CheckoutMergeEnd {
  return { kind: 'conflict', files: paths.map((path) => projectPath(repository, path)) };
}

/** Operations that git may be in the middle of, by the file each one leaves. */
const operations: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
};

export async function operationInProgress(repository: Repository): Promise<string | undefined> {
  for (const [file, what] of Object.entries(operations)) if (await isInProgress(repository, file)) return what;
  return undefined;
}

async function refuseUnready(repository: Repository): Promise<void> {
  const what = await operationInProgress(repository);
  if (what !== undefined) throw refused(`${what} is in progress in the checkout`, 'Finish or abort it first.');
  const onBranch = await git(checkout(repository), ['symbolic-ref', '--quiet', 'HEAD'], { answers: [0, 1] });
  if (onBranch.code !== 0)
    throw refused('the checkout is not on a branch', 'Switch to the branch that should get the work.');
}

async function isInProgress(repository: Repository, file: string): Promise<boolean> {
  const path = await gitText(checkout(repository), ['rev-parse', '--path-format=absolute', '--git-path', file]);
  return isThere(path);
}

/** Git overwrites ignored files silently, and they may be the only copy of something. */
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
  throw refused(`untracked files would be overwritten: ${names}`, 'Move them out of the way first.');
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** The folder's current content is the user's side; files are written only if both sides merge. */
async function writeFolder(repository: Repository, spec: CheckoutMerge, head: string): Promise<CheckoutMergeEnd> {
  const { base, identity, at } = spec;
  const message = 'The folder as it was before the merge';
  const now = await commitFolder(repository, { parents: [base], message, identity, at });
  const merged = await mergeTrees(repository, now, head);
  if (merged.kind === 'conflict')
    return inConflict(
      repository,
      merged.unsettled.map(({ path }) => path),
    );
  const changes = await changesBetween(repository, now, merged.tree);
  await refuseOverwriting(repository, changes);
  // Git checks each file again and refuses before writing the first one if any has changed meanwhile.
  const written = await git(checkout(repository), ['read-tree', '-m', '-u', '--end-of-options', now, merged.tree], {
    answers: [0, 128],
  });
  if (written.code !== 0) throw failedGit('read-tree', written);
  await updateRefs(repository, [{ ref: mergedRef(spec.branch), to: head }]);
  if (changes.length === 0) return { kind: 'nothing' };
  return { kind: 'merged', files: changes.map(({ path }) => path), as: 'files', isSigned: false };
}

/** A plain folder has no history that shows what was merged: the store records it. */
export function mergedRef(branch: string): string {
  return `refs/divisi/merged/${branch}`;
}

/** The user's checkout contains this commit of the run's branch. */
export async function isInCheckout(
  repository: Repository,
  { branch, base }: Pick<CheckoutMerge, 'branch' | 'base'>,
  commit: string,
): Promise<boolean> {
  if (repository.kind === 'git') {
    const here = await checkedOut(repository);
    if (here === undefined) return false;
    return (await isContained(repository, commit, here.commit)) || isSquashed(repository, base, commit);
  }
  return commit === base || commit === (await commitOf(repository, mergedRef(branch)));
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
