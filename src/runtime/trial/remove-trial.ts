/**
 * Removes the folder and branches of trials. A running trial holds a lease under its name, which protects it from cleanup; a dead
 * one is recognised by the lease it never released, and the next trial removes its leftovers.
 */
import { DivisiError } from '../../base/error.ts';
import { type RunId, runIdSchema } from '../../base/ids.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isAlive } from '../../process/identity.ts';
import { listOwnBranches, removeRunBranch } from '../../workspace/git/own-branches.ts';
import { listRooms, removeRefs, removeRoom, removeSetUpRefs } from '../../workspace/git/room/remove-room.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { shortRun } from '../../workspace/git/room/room-name.ts';
import { reapRun } from '../../run-work/verifier-process.ts';
import { type Holding, withLease } from '../../project/with-lease.ts';

/** `work` also removes the folder and branch of the agent's work. */
export async function removeTrial(repository: Repository, trial: string, what: 'work' | 'rest'): Promise<void> {
  if (what === 'work') {
    for (const { shortRun: of, folder } of await listRooms(repository)) {
      if (of === shortRun(trial)) await removeRoom(repository, { folder });
    }
    await removeSetUpRefs(repository, trial);
  }
  for (const own of await listOwnBranches(repository)) {
    const { run, name, branch } = own;
    if (run !== trial) continue;
    if (name === undefined) await removeRunBranch(repository, own);
    else if (what === 'work') await removeRefs(repository, { branches: [branch] });
  }
}

/** Ends the agents and removes the folders of trials whose process died on this machine. */
export async function sweepTrials(repository: Repository, ledger: Ledger, holding: Holding): Promise<void> {
  const known = new Set<string>(ledger.runs().map(({ run }) => run));
  for (const name of new Set((await listOwnBranches(repository)).map(({ run }) => run))) {
    const run = runIdSchema.safeParse(name);
    if (!run.success || known.has(name) || !isAbandoned(ledger, run.data)) continue;
    await unlessHeld(
      withLease(ledger, run.data, holding, async () => {
        await reapRun(name);
        await removeTrial(repository, name, 'work');
      }),
    );
  }
}

/** Another trial may be sweeping the same leftovers. */
async function unlessHeld(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DivisiError) || error.code !== 'LEASE_HELD') throw error;
  }
}

/** A trial that ended normally has released its lease. */
function isAbandoned(ledger: Ledger, run: RunId): boolean {
  const held = ledger.holder(run);
  return held !== null && !isAlive(held.holder);
}
