/**
 * One process at work on one run that it holds, whatever performs its tasks: account for what an earlier process left,
 * say that work goes on, listen to the inbox, and run the loop until the run has ended or is paused.
 */
import type { DelegationId } from '../contracts/ids.ts';
import type { NewEvent, RunEvent } from '../core/event.ts';
import type { RunState } from '../core/state.ts';
import type { StopKind } from '../engine/engine.ts';
import { type LocalEngine, localEngine, type Perform } from '../engine/local/local-engine.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';
import { keepRest } from './fold-run.ts';
import { type Recover, reconcile } from './reconcile.ts';
import { recordEvents } from './record-events.ts';
import { type Clock, runLoop } from './run-loop.ts';

export interface WorkDeps {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly newDelegation: () => DelegationId;
  /** Milliseconds. */
  readonly grace: number;
  readonly atCheckpoint: 'wait' | 'pause';
  /** How this process is called, for the record. */
  readonly command: string;
  readonly perform: Perform;
  readonly recover: Recover;
  /** After each commit, with its events. */
  readonly committed: (events: readonly RunEvent[], state: RunState) => void;
  /** Once the run is said to go on, before its first task. */
  readonly started?: () => Promise<void>;
  /** Tells how to stop the run; called once, before anything starts. */
  readonly stoppable: (stop: (how: StopKind) => void) => void;
}

export async function workOnRun(state: RunState, deps: WorkDeps): Promise<RunState> {
  const { ledger, lease, clock, committed } = deps;
  const engine = localEngine({ perform: deps.perform });
  const found = await reconcile(state, deps.recover);
  recordEvents(state, [...found, { kind: 'run.started', command: deps.command }, ...approvals(state)], deps);
  await deps.started?.();

  deps.stoppable((how) => engine.deliver({ kind: 'stop', how }));
  const watching = new AbortController();
  watchInbox(ledger, lease, engine, watching.signal);
  try {
    await runLoop(state, {
      engine,
      before: engine.drain(),
      clock,
      newDelegation: deps.newDelegation,
      append: (events, consumed) => void lease.append(events, consumed),
      committed,
      grace: deps.grace,
      atCheckpoint: deps.atCheckpoint,
    });
    keepRest(ledger, state, lease.head);
    return state;
  } catch (error) {
    engine.cancel('at-once');
    throw error;
  } finally {
    watching.abort();
  }
}

/** Whoever resumes a run that waits at a checkpoint says yes to it. */
function approvals({ checkpoints }: RunState): NewEvent[] {
  const open = checkpoints.filter(({ status }) => status === 'open');
  return open.map(({ id }) => ({ kind: 'checkpoint.answered', checkpoint: id, approved: true, note: 'resumed' }));
}

function watchInbox(ledger: Ledger, { run }: Lease, engine: LocalEngine, signal: AbortSignal): void {
  const seen = new Set<number>();
  const look = (): void => {
    for (const { id: row, message } of ledger.inbox(run).rows) {
      if (seen.has(row)) continue;
      seen.add(row);
      if (message.kind === 'answer') {
        const { checkpoint: key, approved, note } = message;
        engine.deliver({ kind: 'answered', key, approved, row, ...(note === undefined ? {} : { note }) });
      } else {
        engine.deliver({ kind: 'stop', how: message.kind, row });
      }
    }
  };
  look();
  // In a timer of its own an error would end the process, and leave its agents behind.
  const safely = (): void => {
    try {
      look();
    } catch (error) {
      engine.fail(error);
    }
  };
  watchLedger(ledger.file, safely, signal);
}
