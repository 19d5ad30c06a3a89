/**
 * Syncs the plan file of a conducted run, and takes a person's edits of it into the run. Hooks are too short-lived for this; a
 * longer process calls it, and holds the run only for single appends.
 */
import { DivisiError, divisiError } from '../../base/error.ts';
import type { RunId } from '../../base/ids.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import type { Lease } from '../../ledger/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { commitQueue } from '../../ledger/commit-queue.ts';
import { isAlive, ownIdentity } from '../../process/identity.ts';
import { loadRoles } from '../../workspace/load-roles.ts';
import { finishPlanView } from '../../scheduler/plan-file/open-plan-view.ts';
import { planEdited } from '../../scheduler/plan-file/plan-edited.ts';
import { systemClock } from '../../engine/clock.ts';
import { takeEdit } from '../../scheduler/take-happening.ts';
import { unwrittenLog } from '../../scheduler/plan-file/open-plan-view.ts';

export interface ViewOptions {
  readonly project: string;
  readonly ledger: Ledger;
  readonly warn: (error: unknown) => void;
}

/** Attempts before a conflict with other writers is thrown. */
const mostLooks = 5;

/** Starts over when another process has appended: nothing is written that was decided on an old state. */
export async function writeConductedView(run: RunId, options: ViewOptions): Promise<void> {
  for (let look = 1; ; look += 1) {
    try {
      return await writeOnce(run, options);
    } catch (error) {
      if (!(error instanceof DivisiError && error.code === 'LEASE_LOST') || look === mostLooks) throw error;
    }
  }
}

async function writeOnce(run: RunId, { project, ledger, warn }: ViewOptions): Promise<void> {
  const { agents } = await loadRoles(project);
  const log = unwrittenLog();
  const { state, lease } = ledger.atomically(() => {
    const found = foldRun(ledger, run, log.seen);
    return { state: found, lease: leaseAt(ledger, run, ledger.run(run)?.head ?? 0) };
  });
  const commits = commitQueue(state, { lease, clock: systemClock });
  await finishPlanView(state, {
    project,
    commits,
    unwritten: log.lines(),
    warn,
    edited: (found) => {
      const { record, commit } = commits.begin();
      takeEdit(state, planEdited(state, found, agents), record);
      commit();
      return true;
    },
  });
}

/** Takes the lease for one append, and refuses it (LEASE_LOST) where another process has appended since. */
function leaseAt(ledger: Ledger, run: RunId, from: number): Pick<Lease, 'append'> {
  let head = from;
  return {
    append: (events, consumed) => {
      head = ledger.atomically(() => {
        const taken = ledger.take(run, ownIdentity('divisi, writing the plan'), isAlive);
        if (taken.head !== head) {
          throw divisiError('LEASE_LOST', {
            message: `other processes have changed ${run}`,
            next: 'Read the run again; nothing was written.',
            retryable: true,
            ids: { run },
          });
        }
        const next = taken.append(events, consumed);
        taken.release();
        return next;
      });
      return head;
    },
  };
}
