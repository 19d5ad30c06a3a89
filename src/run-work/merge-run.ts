/** Previews and performs the merge of a run's work into the user's checkout. */
import { oneLine } from '../base/text.ts';
import type { RunState } from '../core/state/state.ts';
import { branchHead } from '../workspace/git/commit-of.ts';
import {
  mergeBranchIntoCheckout,
  type CheckoutMergeEnd,
  isInCheckout,
} from '../workspace/git/merge/merge-into-checkout.ts';
import type { MergeStyle } from '../workspace/git/merge/merge-style.ts';
import { changesBetween } from '../workspace/git/changes.ts';
import { changedHooks } from '../workspace/git/merge/hooks-folder.ts';
import { checkedOut, commitsBetween, othersBetween } from '../workspace/git/history.ts';
import { foreignCommits, runHead, type RunRepository } from './run-repository.ts';

export interface MergePreview {
  /** The run's branch. */
  readonly branch: string;
  /** The user's branch, or the folder itself. */
  readonly into: string;
  readonly commits: number;
  readonly files: number;
  /** Commits below the run's base that no run made; the checkout does not have them and would get them too. */
  readonly others: number;
  /** Unverified commits on the run's branch that no task made. */
  readonly foreign: number;
  /** Files of the work that the user's git would run as hooks. */
  readonly hooks: readonly string[];
  /** The checkout has all of it. */
  readonly isMerged: boolean;
}

export async function previewMerge(at: RunRepository, state: RunState): Promise<MergePreview> {
  const { repository, facts } = at;
  const { base, branch } = facts;
  const head = await runHead(at, state);
  const commits = await commitsBetween(repository, base, head);
  const changes = await changesBetween(repository, base, head);
  const files = changes.length;
  const hooks = await changedHooks(repository, changes);
  const foreign = await foreignCommits(at, state, head);
  const isMerged = await isInCheckout(repository, facts, head);
  const about = { branch, commits, files, foreign, hooks, isMerged };
  if (repository.kind === 'copy') return { ...about, into: 'this folder', others: 0 };
  const here = await checkedOut(repository);
  const others = here === undefined ? 0 : await othersBetween(repository, here.commit, base);
  return { ...about, into: here?.branch ?? 'the checkout, which is on no branch', others };
}

/** Throws `MERGE_REFUSED` where the checkout cannot be merged into. */
export async function mergeRun(
  at: RunRepository,
  state: RunState,
  style: MergeStyle = 'usual',
): Promise<CheckoutMergeEnd> {
  const { repository, facts } = at;
  const { branch, base, identity, sign: isSigned = false } = facts;
  // The branch of a merged run may have been cleaned up.
  const isGone = (await branchHead(repository, branch)) === undefined;
  if (isGone && (await isInCheckout(repository, facts, state.head ?? base))) return { kind: 'nothing' };
  const message = squashMessage(state);
  return mergeBranchIntoCheckout(repository, { branch, base, identity, at: Date.now(), style, message, isSigned });
}

/** Names the run and the tasks whose work is merged. */
function squashMessage({ created, tasks }: RunState): string {
  const done = [...tasks.values()].filter(({ progress }) => progress.status === 'completed');
  const lines = done.map(({ planned }) => `- ${planned.id} ${oneLine(planned.title, 100)}`);
  return [oneLine(created.plan.title, 72), '', ...lines, '', `Run ${created.run}`].join('\n');
}
