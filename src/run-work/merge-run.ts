/** Previews and performs the merge of a run's work into the user's checkout. */
import type { RunState } from '../core/state/state.ts';
import { branchHead } from '../workspace/git/branch-head.ts';
import {
  mergeBranchIntoCheckout,
  type CheckoutMergeEnd,
  isInCheckout,
} from '../workspace/git/merge/merge-into-checkout.ts';
import { changesBetween } from '../workspace/git/changes.ts';
import { checkedOut, commitsBetween } from '../workspace/git/history.ts';
import { foreignCommits, runHead, type RunRepository } from './run-repository.ts';

export interface MergePreview {
  /** The run's branch. */
  readonly branch: string;
  /** The user's branch, or the folder itself. */
  readonly into: string;
  readonly commits: number;
  readonly files: number;
  /** Commits below the run's base that the checkout does not have and would get too. */
  readonly others: number;
  /** Unverified commits on the run's branch that no task made. */
  readonly foreign: number;
}

export async function previewMerge(at: RunRepository, state: RunState): Promise<MergePreview> {
  const { repository, facts } = at;
  const { base, branch } = facts;
  const head = await runHead(at, state);
  const commits = await commitsBetween(repository, base, head);
  const files = (await changesBetween(repository, base, head)).length;
  const foreign = await foreignCommits(at, state, head);
  if (repository.kind === 'copy') return { branch, into: 'this folder', commits, files, others: 0, foreign };
  const here = await checkedOut(repository);
  const others = here === undefined ? 0 : await commitsBetween(repository, here.commit, base);
  return { branch, into: here?.branch ?? 'the checkout, which is on no branch', commits, files, others, foreign };
}

/** Throws `MERGE_REFUSED` where the checkout cannot be merged into. */
export async function mergeRun(at: RunRepository, state: RunState): Promise<CheckoutMergeEnd> {
  const { repository, facts } = at;
  const { branch, base, identity } = facts;
  // The branch of a merged run may have been cleaned up.
  const isGone = (await branchHead(repository, branch)) === undefined;
  if (isGone && (await isInCheckout(repository, facts, state.head ?? base))) return { kind: 'nothing' };
  return mergeBranchIntoCheckout(repository, { branch, base, identity, at: Date.now() });
}
