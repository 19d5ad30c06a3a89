/**
 * One process at work on one run that it holds, whatever performs its tasks: account for what an earlier process left,
 * say that work goes on, listen to the inbox, and run the loop until the run has ended or is paused.
 */
import { defined } from '../base/defined.ts';
import type { DelegationId } from '../base/ids.ts';
import type { EventOf, RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { Clock } from '../engine/clock.ts';
import type { Happening } from '../engine/engine.ts';
import { type LocalEngine, localEngine, type Perform, type PerformStep } from '../engine/local/local-engine.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';
import { keepRest } from '../ledger/fold-run.ts';
import { type Recover, reconcile } from './reconcile.ts';
import { recordEvents } from '../ledger/record-events.ts';
import { runLoop } from './run-loop.ts';

/** What is said when work goes on. */
export type RunStart = Pick<EventOf<'run.started'>, 'skipFailed' | 'audit' | 'deadlines'>;

export interface WorkDeps {
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly newDelegation: () => DelegationId;
  /** What makes the work of a task the work it is, where that matters. */
  readonly keyOf?: (task: string) => string | undefined;
  /** Milliseconds. */
  readonly grace: number;
  readonly atCheckpoint: 'wait' | 'pause';
  /** How this process is called, for the record. */
  readonly command: string;
  readonly perform: Perform;
  /** Absent where nothing is verified or merged. */
  readonly performStep?: PerformStep;
  readonly recover: Recover;
  /** After each commit, with its events. */
  readonly committed: (events: readonly RunEvent[], state: RunState) => void;
  /** Once the run is said to go on, before its first task. */
  readonly started?: () => Promise<void>;
  /** Once what an earlier process left is accounted for, before the run is said to go on. */
  readonly prepare?: () => Promise<void>;
  /** Somebody wants the run to stop, from elsewhere; told at once, also during that. */
  readonly stopWanted?: () => void;
  /** What to say when work goes on. */
  readonly start?: RunStart;
  /** Gives a way to tell the run something; called once, before anything starts. */
  readonly listening: (tell: (happening: Happening) => void) => void;
}

export async function workOnRun(state: RunState, deps: WorkDeps): Promise<RunState> {
  const { ledger, lease, clock, committed } = deps;
  const { perform, performStep } = deps;
  const engine = localEngine({ perform, ...defined({ performStep }), clock });
  const found = await reconcile(state, deps.recover);
  if (found.length > 0) recordEvents(state, found, deps);
  const watching = new AbortController();
  watchInbox(ledger, lease, watching.signal, {
    fail: (error) => engine.fail(error),
    deliver(happening) {
      engine.deliver(happening);
      if (happening.kind === 'stop') deps.stopWanted?.();
    },
  });
  try {
    await deps.prepare?.();
    if (state.status === 'completed') {
      // Nothing was opened again, so that there is nothing to stop either.
      const rows = ledger.inbox(lease.run).rows.map(({ id }) => id);
      lease.append([], rows);
      return state;
    }
    recordEvents(state, [{ kind: 'run.started', command: deps.command, ...deps.start }], deps);
    deps.listening((happening) => engine.deliver(happening));
    await deps.started?.();
    await runLoop(state, {
      engine,
      before: engine.drain(),
      clock,
      newDelegation: deps.newDelegation,
      ...defined({ keyOf: deps.keyOf }),
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

function watchInbox(
  ledger: Ledger,
  { run }: Lease,
  signal: AbortSignal,
  engine: Pick<LocalEngine, 'deliver' | 'fail'>,
): void {
  const seen = new Set<number>();
  const look = (): void => {
    for (const { id: row, message } of ledger.inbox(run).rows) {
      if (seen.has(row)) continue;
      seen.add(row);
      if (message.kind === 'answer') {
        const { checkpoint: key, approved, note } = message;
        engine.deliver({ kind: 'answered', key, approved, row, ...defined({ note }) });
      } else if (message.kind === 'pause' || message.kind === 'cancel') {
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
