/**
 * Merges one task's work into the run's branch as one commit, exactly once.
 *
 * A commit that carries the delegation's trailer and has the content this merge produces proves that it was done
 * before. The branch moves only from the commit that was inspected; a lost race starts over. No checkout, index or
 * hook takes part. The same arguments on the same branch produce the same commit, unless it is signed.
 */
import type { Conflict } from '../../../core/event/verification.ts';
import { branchHead, treeOf } from '../commit-of.ts';
import { keepRef } from '../room/room-name.ts';
import { commitTree, type CommitIdentity, type Signing } from '../commit-tree.ts';
import { isContained } from '../history.ts';
import { failedGit, fieldsOf, git, gitText } from '../git.ts';
import { type MergedTrees, mergeTrees } from './merge-trees.ts';
import { tryUpdateRefs } from '../update-refs.ts';
import { readConflicts } from './read-conflicts.ts';
import { type Repository, shared, withMergeLock, withRepositoryLock } from '../repository.ts';

const delegationTrailer = 'Divisi-Delegation';

export interface MergeSpec {
  /** The run's branch. */
  readonly branch: string;
  /** The branch's head according to the ledger; the run's base before the first merge. */
  readonly knownHead: string;
  /** The commit the room started from: a merge of its work can only come after it. */
  readonly base: string;
  /** The work, from `snapshotRoom`; the base if nothing changed. */
  readonly commit: string;
  readonly delegation: string;
  /** Subject and body. */
  readonly message: string;
  /** In addition to the delegation's trailer, which comes last. */
  readonly trailers: readonly (readonly [key: string, value: string])[];
  readonly identity: CommitIdentity;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sign?: Signing | undefined;
}

export type MergeEnd =
  /** `foreign`: commits on the branch since the known head that no delegation made. */
  | { readonly kind: 'merged'; readonly commit: string; readonly foreign: number }
  | { readonly kind: 'conflict'; readonly onto: string; readonly conflicts: readonly Conflict[] }
  /** The branch was moved, deleted or checked out by someone else: a person has to decide. */
  | { readonly kind: 'moved'; readonly message: string };

/** Only processes other than Divisi can win a race. */
export const mostRaces = 20;

export async function mergeWork(repository: Repository, spec: MergeSpec): Promise<MergeEnd> {
  for (let race = 0; race < mostRaces; race += 1) {
    const end = await withMergeLock(repository, () => mergeOnce(repository, spec));
    if (end !== 'lost') return end;
  }
  return { kind: 'moved', message: `the branch ${spec.branch} keeps moving` };
}

async function mergeOnce(repository: Repository, spec: MergeSpec): Promise<MergeEnd | 'lost'> {
  const looked = await lookAtBranch(repository, spec);
  if (looked.kind === 'moved') return looked;
  const { head, checkedOut } = looked;
  let { foreign } = looked;
  for (const { commit, delegations } of await commitsSince(repository, spec.base, head)) {
    if (!delegations.includes(spec.delegation)) continue;
    if (await isThisWork(repository, commit, spec)) return { kind: 'merged', commit, foreign };
    foreign += 1;
  }
  // A merge that was done before is found all the same.
  if (checkedOut !== '') return checkedOutElsewhere(spec.branch, checkedOut);
  const merged = await mergeOnto(repository, head, spec);
  if (merged.kind === 'conflict') {
    const failed = { ...merged, merged: head, own: spec.commit };
    return { kind: 'conflict', onto: head, conflicts: await readConflicts(repository, failed) };
  }
  const { message, identity, at } = spec;
  const trailers = [
    ...spec.trailers.filter(([key]) => key !== delegationTrailer),
    [delegationTrailer, spec.delegation],
  ];
  const commit = await commitTree(repository, {
    tree: merged.tree,
    parents: [head],
    message,
    trailers: trailers as [string, string][],
    identity,
    at,
    sign: spec.sign,
  });
  return (await advanceBranch(repository, spec.branch, commit, head)) ? { kind: 'merged', commit, foreign } : 'lost';
}

/** Its files would stay behind and look like changes made in that checkout. */
export function checkedOutElsewhere(branch: string, folder: string): Extract<MergeEnd, { kind: 'moved' }> {
  return { kind: 'moved', message: `the branch ${branch} is checked out in ${folder}: switch to another one there` };
}

interface BranchCommit {
  readonly commit: string;
  readonly delegations: readonly string[];
}

type Looked =
  /** `checkedOut`: the folder; empty if it is not checked out. */
  | { readonly kind: 'at'; readonly head: string; readonly foreign: number; readonly checkedOut: string }
  | { readonly kind: 'moved'; readonly message: string };

export async function lookAtBranch(
  repository: Repository,
  { branch, knownHead, delegation }: Pick<MergeSpec, 'branch' | 'knownHead'> & { readonly delegation?: string },
): Promise<Looked> {
  const format = '--format=%(objectname)%00%(worktreepath)';
  const said = await gitText(shared(repository), ['for-each-ref', format, '--end-of-options', `refs/heads/${branch}`]);
  const [head = '', checkedOut = ''] = said.split('\0');
  if (head === '') return { kind: 'moved', message: `the branch ${branch} is gone` };
  if (head === knownHead) return { kind: 'at', head, foreign: 0, checkedOut };
  if (!(await isContained(repository, knownHead, head)))
    return { kind: 'moved', message: `the branch ${branch} no longer contains ${knownHead}` };
  const { others } = await countSince(repository, { from: knownHead, to: head, delegation });
  return { kind: 'at', head, foreign: others, checkedOut };
}

/**
 * The commits on a run's branch since the ledger's head, by the delegation each one names. Merges run one at a time:
 * no other merge can be among them.
 */
export async function countSince(
  repository: Repository,
  { from, to, delegation }: { readonly from: string; readonly to: string; readonly delegation?: string | undefined },
): Promise<{ readonly own: number; readonly others: number }> {
  const since = await commitsSince(repository, from, to);
  const own = since.filter(({ delegations }) => delegation !== undefined && delegations.includes(delegation)).length;
  return { own, others: since.length - own };
}

async function commitsSince(repository: Repository, from: string, to: string): Promise<BranchCommit[]> {
  if (from === to) return [];
  const trailer = `%(trailers:key=${delegationTrailer},valueonly,unfold,separator=%x20)`;
  const { stdout } = await git(shared(repository), [
    'log',
    '-z',
    `--format=%H ${trailer}`,
    '--end-of-options',
    `${from}..${to}`,
  ]);
  return fieldsOf(stdout).map((line) => {
    const [commit = '', ...delegations] = line.trim().split(/\s+/);
    return { commit, delegations };
  });
}

/** The trailer alone proves nothing: agents know their delegation's id and can write to the repository. */
async function isThisWork(repository: Repository, commit: string, spec: MergeSpec): Promise<boolean> {
  const facts = await gitText(shared(repository), ['log', '-1', '--format=%T %P', '--end-of-options', commit]);
  const [tree, parent = '', ...others] = facts.split(' ');
  if (parent === '' || others.length > 0) return false;
  const merged = await mergeOnto(repository, parent, spec);
  return merged.kind === 'merged' && merged.tree === tree;
}

/** If the branch has not moved since the work began, the work itself is the merge. */
async function mergeOnto(repository: Repository, head: string, { base, commit }: MergeSpec): Promise<MergedTrees> {
  if (head !== base) return mergeTrees(repository, head, commit);
  const tree = await treeOf(repository, commit);
  if (tree === undefined) throw failedGit('merge-tree', { code: 128, stderr: `${commit} is missing` });
  return { kind: 'merged', tree };
}

/** False if the branch is no longer at `from`. */
export async function advanceBranch(
  repository: Repository,
  branch: string,
  to: string,
  from: string,
): Promise<boolean> {
  const changes = [
    { ref: `refs/heads/${branch}`, to, from },
    { ref: keepRef(branch), to },
  ];
  return withRepositoryLock(repository, async () => {
    const moved = await tryUpdateRefs(repository, changes);
    if (moved.code === 0) return true;
    if ((await branchHead(repository, branch)) === from) throw failedGit('update-ref', moved);
    return false;
  });
}
