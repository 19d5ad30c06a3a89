/**
 * Merges a commit of the user into the run's branch as one merge commit, exactly once.
 *
 * A commit that carries the update's trailer, has this commit as its second parent and the content that this merge produces proves that
 * it was done before. As in `merge-work.ts`, the branch moves only from the commit that was inspected, and no checkout takes part.
 */
import { commitTree, type CommitIdentity, type Signing } from '../commit-tree.ts';
import { projectPath } from '../changes.ts';
import { fieldsOf, git } from '../git.ts';
import { isContained } from '../history.ts';
import { type Repository, shared, withMergeLock } from '../repository.ts';
import { mergeTrees } from './merge-trees.ts';
import { advanceBranch, checkedOutElsewhere, lookAtBranch, mostRaces } from './merge-work.ts';

const updateTrailer = 'Divisi-Update';

export interface UpdateMerge {
  /** The run's branch. */
  readonly branch: string;
  /** The branch's head according to the ledger; the run's base before the first merge. */
  readonly knownHead: string;
  /** The user's commit. */
  readonly commit: string;
  readonly run: string;
  readonly update: string;
  readonly identity: CommitIdentity;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly sign?: Signing | undefined;
}

export type UpdateMergeEnd =
  | { readonly kind: 'merged'; readonly commit: string }
  /** The branch contains the commit already. */
  | { readonly kind: 'nothing' }
  /** Relative to the project. */
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  | { readonly kind: 'moved'; readonly message: string };

export async function mergeUpdate(repository: Repository, spec: UpdateMerge): Promise<UpdateMergeEnd> {
  for (let race = 0; race < mostRaces; race += 1) {
    const end = await withMergeLock(repository, () => mergeOnce(repository, spec));
    if (end !== 'lost') return end;
  }
  return { kind: 'moved', message: `the branch ${spec.branch} keeps moving` };
}

async function mergeOnce(repository: Repository, spec: UpdateMerge): Promise<UpdateMergeEnd | 'lost'> {
  const { branch, commit, run, update, identity, at, sign } = spec;
  const looked = await lookAtBranch(repository, spec);
  if (looked.kind === 'moved') return looked;
  const { head, checkedOut } = looked;
  const done = await findDone(repository, spec, head);
  if (done !== undefined) return { kind: 'merged', commit: done };
  if (await isContained(repository, commit, head)) return { kind: 'nothing' };
  if (checkedOut !== '') return checkedOutElsewhere(branch, checkedOut);
  const merged = await mergeTrees(repository, head, commit);
  if (merged.kind === 'conflict') return { kind: 'conflict', files: conflictedFiles(repository, merged.unsettled) };
  const made = await commitTree(repository, {
    tree: merged.tree,
    parents: [head, commit],
    message: `Update from ${commit.slice(0, 10)}`,
    trailers: [
      ['Divisi-Run', run],
      [updateTrailer, update],
    ],
    identity,
    at,
    sign,
  });
  return (await advanceBranch(repository, branch, made, head)) ? { kind: 'merged', commit: made } : 'lost';
}

export function conflictedFiles(repository: Repository, unsettled: readonly { readonly path: string }[]): string[] {
  return unsettled.map(({ path }) => projectPath(repository, path));
}

/** The trailer alone proves nothing: agents can write to the repository. */
async function findDone(repository: Repository, spec: UpdateMerge, head: string): Promise<string | undefined> {
  const { knownHead, commit, update } = spec;
  if (head === knownHead) return undefined;
  const format = `--format=%H %T %P %(trailers:key=${updateTrailer},valueonly,unfold,separator=%x20)`;
  const look = ['log', '-z', '--first-parent', '--merges', format, '--end-of-options', `${knownHead}..${head}`];
  for (const line of fieldsOf((await git(shared(repository), look)).stdout)) {
    const [made = '', tree, first = '', second, ...trailers] = line.trim().split(/\s+/);
    if (second !== commit || !trailers.includes(update)) continue;
    const merged = await mergeTrees(repository, first, commit);
    if (merged.kind === 'merged' && merged.tree === tree) return made;
  }
  return undefined;
}
