/**
 * InRun: reads a conducted run and records what follows, in one transaction. Hooks are separate, short-lived processes: none holds
 * the run for longer, and concurrent ones wait for each other here.
 */
import type { RunId } from '../base/ids.ts';
import type { NewEvent, RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import { type FoldedRun, foldOn } from '../ledger/fold-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { commitQueue } from '../ledger/commit-queue.ts';
import { failedTask } from '../views/run/error-entries.ts';
import { isAlive, ownIdentity } from '../process/identity.ts';
import { advance, type RemainingWork } from './advance.ts';

export interface InRun {
  readonly state: RunState;
  /** Applied at once, durable when the work returns. */
  readonly record: (event: NewEvent) => RunEvent;
  /** Removes these rows from the inbox in the same transaction. */
  readonly consume: (rows: readonly number[]) => void;
  /** Records every decision of the core that needs no agent; returns the rest. */
  readonly advance: () => RemainingWork;
}

export interface RunPlace {
  readonly ledger: Ledger;
  readonly run: RunId;
  readonly clock: { now(): number };
  /** The run as this process last saw it: each turn then reads only newer events. Absent where a process takes one turn. */
  readonly memory?: RunMemory;
}

export interface RunMemory {
  folded?: FoldedRun | undefined;
  /** Tasks of which an attempt failed in a turn of this process. */
  failed?: ReadonlySet<string> | undefined;
}

const command = 'divisi in a conversation';

/** Refuses (LEASE_HELD) while another process works on the run. */
export function inRun<T>({ ledger, run, clock, memory = {} }: RunPlace, work: (turn: InRun) => T): T {
  // A turn that throws forgets what it has applied and not committed.
  const known = memory.folded;
  memory.folded = undefined;
  const { done, folded } = ledger.atomically(() => {
    const lease = ledger.take(run, ownIdentity(command), isAlive);
    // Another process may have appended since the last turn.
    const { state } = foldOn(ledger, run, known);
    const consumed: number[] = [];
    const queue = commitQueue(state, { lease, clock });
    queue.follow((events) => {
      const failed = events.flatMap((event) => failedTask(event) ?? []);
      if (failed.length > 0) memory.failed = new Set([...(memory.failed ?? []), ...failed]);
    });
    const { record, commit } = queue.begin();
    const result = work({
      state,
      record,
      consume: (rows) => void consumed.push(...rows),
      advance: () => advance(state, clock.now(), record),
    });
    commit(consumed);
    lease.release();
    return { done: result, folded: { state, seq: lease.head } };
  });
  memory.folded = folded;
  return done;
}
