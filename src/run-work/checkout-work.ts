/**
 * Finds the changes of a conducted run, whose agents share the user's checkout: of the whole run since it began, or of one attempt.
 * Writes trees into the repository; changes neither the checkout nor its index.
 */
import { divisiError } from '../base/error.ts';
import { workspaceOf } from '../core/state/current-workspace.ts';
import type { RunState } from '../core/state/state.ts';
import { ownFolders } from '../conversation/conduct.ts';
import { treeOf } from '../workspace/git/commit-of.ts';
import { findRepository, type Repository } from '../workspace/git/repository.ts';
import { treeOfCheckout } from '../workspace/git/snapshot-checkout.ts';
import { findAttempt, type WorkRequest } from './find-work.ts';

export interface CheckoutWork {
  readonly repository: Repository;
  /** Two trees. */
  readonly from: string;
  readonly to: string;
  /** Its own files; all where the record does not list them. */
  readonly paths?: readonly string[];
}

interface CheckoutPlace {
  readonly project: string;
  readonly environment: NodeJS.ProcessEnv;
}

export const sharesCheckout = (state: RunState): boolean => workspaceOf(state)?.kind === 'checkout';

/** Everything since the run began, whoever changed it. */
export async function checkoutWork(state: RunState, { project, environment }: CheckoutPlace): Promise<CheckoutWork> {
  const repository = await findRepository(project, environment);
  const from = await known(repository, state, workspaceOf(state)?.base ?? '');
  return { repository, from, to: await treeOfCheckout(repository, ownFolders) };
}

/** The files that verification attributed to an attempt, as they are now; everything since it was delegated where it was not verified. */
export async function checkoutTaskWork(
  state: RunState,
  request: WorkRequest,
  { project, environment }: CheckoutPlace,
): Promise<CheckoutWork & { readonly attempt: number }> {
  const { attempt, room, verification } = findAttempt(state, request);
  const repository = await findRepository(project, environment);
  const from = await known(repository, state, room?.base ?? '');
  const paths = verification?.changes.map(({ path }) => path);
  // A long list is cut.
  const isWhole = paths !== undefined && paths.length === verification?.changed;
  const to = await treeOfCheckout(repository, ownFolders);
  return { repository, attempt, from, to, ...(isWhole ? { paths } : {}) };
}

/** Git removes trees that no branch has after some weeks. */
async function known(repository: Repository, { created: { run } }: RunState, tree: string): Promise<string> {
  if (tree !== '' && (await treeOf(repository, tree)) !== undefined) return tree;
  throw divisiError('WORKSPACE_BASE_UNKNOWN', {
    message: `${run} worked in your checkout, and git no longer has the files from before`,
    next: `\`divisi report ${run}\` lists the changes of each task; \`git log -p\` shows what you have committed since.`,
    ids: { run },
  });
}
