/** Removes what `findLeftovers` found, run by run, while holding each run's lease. */
import { DivisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { isOver } from '../core/state/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { removeRunBranch, tidyRepository } from '../workspace/git/own-branches.ts';
import { removeWorktree } from '../workspace/git/worktree/remove-worktree.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { worktreeFolder } from '../workspace/git/worktree/worktree-name.ts';
import { isInUse, type Leftovers } from './leftovers.ts';
import { type Holding, withLease } from '../project/with-lease.ts';

/** The leftovers that were removed. */
export interface RemovedLeftovers extends Pick<Leftovers, 'run' | 'status'> {
  readonly folders: readonly string[];
  readonly branches: readonly string[];
  readonly bytes: number;
}

/** Skips a run that has been resumed since. */
export async function removeLeftovers(
  repository: Repository,
  ledger: Ledger,
  found: readonly Leftovers[],
  holding: Holding,
): Promise<RemovedLeftovers[]> {
  const removed: RemovedLeftovers[] = [];
  for (const one of found) {
    const gone = await whileFree(ledger, one, holding, () => removeOne(repository, one));
    if (gone !== undefined) removed.push(gone);
  }
  await tidyRepository(repository);
  return removed;
}

async function whileFree(
  ledger: Ledger,
  { run, status }: Leftovers,
  holding: Holding,
  work: () => Promise<RemovedLeftovers>,
): Promise<RemovedLeftovers | undefined> {
  if (isInUse(ledger, run)) return undefined;
  if (status === 'unknown') return work();
  try {
    return await withLease(ledger, run as RunId, holding, async () => {
      const now = ledger.run(run)?.status;
      return now !== undefined && isOver(now) ? work() : undefined;
    });
  } catch (error) {
    if (error instanceof DivisiError && error.code === 'LEASE_HELD') return undefined;
    throw error;
  }
}

async function removeOne(
  repository: Repository,
  { run, status, worktrees, attempts, branch, bytes }: Leftovers,
): Promise<RemovedLeftovers> {
  const branches: string[] = [];
  for (const { folder } of worktrees) await removeWorktree(repository, { folder });
  for (const { name = '', branch: of } of attempts) {
    const isGone = await removeWorktree(repository, { folder: worktreeFolder(run, name), alsoBranch: of });
    if (isGone) branches.push(of);
  }
  if (branch !== undefined && (await removeRunBranch(repository, branch))) branches.push(branch.branch);
  return { run, status, folders: worktrees.map(({ folder }) => folder), branches, bytes };
}
