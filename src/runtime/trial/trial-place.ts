/**
 * The folder and the branches of trials. A trial that lives holds a lease under its name, so that nobody tidies up around it;
 * one that died still has it, and by that is known to the next trial, which takes away what is left of it.
 */
import { DivisiError } from '../../base/error.ts';
import { type RunId, runIdSchema } from '../../base/ids.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isAlive } from '../../process/identity.ts';
import { listOwnBranches, removeRunBranch } from '../../workspace/git/own-branches.ts';
import { listWorktrees, removeWorktree } from '../../workspace/git/worktree/remove-worktree.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { worktreeFolder } from '../../workspace/git/worktree/worktree-name.ts';
import { reapRun } from '../../run-work/living-verifier.ts';
import { type Holding, withLease } from '../../project/with-lease.ts';

/** What of it goes: with `work`, also the folder and the branch of what the agent has done. */
export async function removeTrial(repository: Repository, trial: string, what: 'work' | 'rest'): Promise<void> {
  if (what === 'work') {
    for (const { run, folder } of await listWorktrees(repository.project)) {
      if (run === trial) await removeWorktree(repository, { folder });
    }
  }
  for (const own of await listOwnBranches(repository)) {
    const { run, name, branch } = own;
    if (run !== trial) continue;
    if (name === undefined) await removeRunBranch(repository, own);
    else if (what === 'work')
      await removeWorktree(repository, { folder: worktreeFolder(run, name), alsoBranch: branch });
  }
}

/** What trials of this machine left whose process was killed: their agents are ended, their folders go. */
export async function sweepTrials(repository: Repository, ledger: Ledger, holding: Holding): Promise<void> {
  const known = new Set<string>(ledger.runs().map(({ run }) => run));
  const found = [...(await listWorktrees(repository.project)), ...(await listOwnBranches(repository))];
  for (const name of new Set(found.map(({ run }) => run))) {
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

/** Another trial that begins may be at it. */
async function unlessHeld(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DivisiError) || error.code !== 'LEASE_HELD') throw error;
  }
}

/** Whoever ended well has let go of it. */
function isAbandoned(ledger: Ledger, run: RunId): boolean {
  const held = ledger.holder(run);
  return held !== null && !isAlive(held.holder);
}
