/**
 * The plan's file of a run that a conversation conducts. Hooks have no time for it: whoever is there for longer brings it in
 * step, holds the run for no longer than one event takes, and passes on what a person has changed in the file.
 */
import type { RunId } from '../contracts/ids.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { recordEvents } from '../ledger/record-events.ts';
import { isAlive, ownIdentity } from '../process/identity.ts';
import { loadRoles } from '../workspace/load-roles.ts';
import { finishView } from './drive-run.ts';
import { planEdited } from './plan-edited.ts';
import { systemClock } from './system-clock.ts';
import { takeEdit } from './take-happening.ts';
import { unwrittenLog } from './unwritten-log.ts';

export interface ViewOptions {
  readonly project: string;
  readonly ledger: Ledger;
  readonly warn: (error: unknown) => void;
}

export async function writeConductedView(run: RunId, { project, ledger, warn }: ViewOptions): Promise<void> {
  const { agents } = await loadRoles(project);
  const log = unwrittenLog();
  const state = foldRun(ledger, run, log.seen);
  const lease: Pick<Lease, 'append'> = {
    append: (events, consumed) =>
      ledger.atomically(() => {
        const taken = ledger.take(run, ownIdentity('tutti, writing the plan'), isAlive);
        const head = taken.append(events, consumed);
        taken.release();
        return head;
      }),
  };
  const nobody = (): void => undefined;
  await finishView(state, {
    project,
    lease,
    clock: systemClock,
    unwritten: log.lines(),
    seen: nobody,
    warn,
    edited: (found) => {
      const record = { lease, clock: systemClock, committed: nobody };
      takeEdit(state, planEdited(state, found, agents), (event) => void recordEvents(state, [event], record));
      return true;
    },
  });
}
