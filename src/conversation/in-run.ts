/**
 * One look at a run that a conversation conducts, and what follows from it, as one transaction. Nobody holds such a run for
 * longer: hooks come and go as processes of their own, and those that come at once wait for one another here.
 */
import type { RunId } from '../base/ids.ts';
import type { NewEvent, RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { gatherEvents } from '../ledger/record-events.ts';
import { isAlive, ownIdentity } from '../process/identity.ts';
import { advance, type Advanced } from './advance.ts';

export interface InRun {
  readonly state: RunState;
  /** Applied at once, durable when the work is done. */
  readonly record: (event: NewEvent) => RunEvent;
  /** Rows of the inbox that are taken out with it. */
  readonly consume: (rows: readonly number[]) => void;
  /** What the core wants done now; everything it only wants recorded is. */
  readonly advance: () => Advanced;
}

export interface RunPlace {
  readonly ledger: Ledger;
  readonly run: RunId;
  readonly clock: { now(): number };
}

const command = 'divisi in a conversation';

/** Refused (LEASE_HELD) while another process works on the run. */
export function inRun<T>({ ledger, run, clock }: RunPlace, work: (turn: InRun) => T): T {
  return ledger.atomically(() => {
    const lease = ledger.take(run, ownIdentity(command), isAlive);
    const state = foldRun(ledger, run);
    const consumed: number[] = [];
    let last: RunEvent | undefined;
    const gathered = gatherEvents(state, {
      lease: { append: (events) => lease.append(events, consumed) },
      clock,
      committed: (events) => {
        last = events.at(-1);
      },
    });
    const done = work({
      state,
      record: gathered.record,
      consume: (rows) => void consumed.push(...rows),
      advance: () => advance(state, clock.now(), gathered.record),
    });
    gathered.commit();
    if (last === undefined && consumed.length > 0) lease.append([], consumed);
    lease.release();
    return done;
  });
}
