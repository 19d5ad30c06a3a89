/** Removes what `findLeftovers` found, run by run, while holding each run's lease. */
import { DivisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { isOver } from '../core/state/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { removeRunBranch, tidyRepository } from '../workspace/git/own-branches.ts';
import { removeRefs, removeRoom, removeSetUpRefs } from '../workspace/git/room/remove-room.ts';
import type { Repository } from '../workspace/git/repository.ts';
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
    const gone = await whileFree(ledger, one, holding, () => removeOne(repository, one, holding.warn));
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
  { run, status, rooms, attempts, branch, bytes }: Leftovers,
  warn: Holding['warn'],
): Promise<RemovedLeftovers> {
  const folders = rooms.map(({ folder }) => folder);
  for (const folder of folders) await removeRoom(repository, { folder, warn });
  const of = attempts.map((one) => one.branch);
  const stay = await removeRefs(repository, { branches: of });
  await removeSetUpRefs(repository, run);
  const branches = of.filter((one) => !stay.includes(one));
  if (branch !== undefined && (await removeRunBranch(repository, branch))) branches.push(branch.branch);
  return { run, status, folders, branches, bytes };
}
