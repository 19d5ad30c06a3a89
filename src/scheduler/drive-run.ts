/**
 * One process at work on one run, from taking it up to letting it go: reap what an earlier one left, account for it, run
 * the loop, keep the plan's file in step, and end every child before leaving.
 */
import type { DelegationId } from '../contracts/ids.ts';
import type { Contracts } from '../contracts/registry.ts';
import { apply } from '../core/apply.ts';
import { type NewEvent, type RunEvent, stamp } from '../core/event.ts';
import type { RunState } from '../core/state.ts';
import type { Driver } from '../drivers/driver.ts';
import type { Happening } from '../engine/engine.ts';
import { localEngine } from '../engine/local/local-engine.ts';
import type { Lease } from '../ledger/lease.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';
import { reap } from '../process/reap.ts';
import { performDelegation, recoverDelegation } from './perform-delegation.ts';
import { findPlanFile } from './plan-file.ts';
import { planView } from './plan-view.ts';
import { reconcile } from './reconcile.ts';
import { type Clock, runLoop } from './run-loop.ts';

export interface DriveDeps {
  readonly project: string;
  readonly ledger: Ledger;
  readonly lease: Lease;
  readonly contracts: Contracts;
  readonly driver: Driver;
  readonly clock: Clock;
  readonly newDelegation: () => DelegationId;
  /** Milliseconds. */
  readonly grace: number;
  readonly atCheckpoint: 'wait' | 'pause';
  /** Who holds the run, for the record. */
  readonly holder: string;
  /** What people see: each event once it is durable. */
  readonly seen: (event: RunEvent, state: RunState) => void;
  /** Worth a word, but no reason to stop. */
  readonly warn: (error: unknown) => void;
  /** Tells how to stop the run; called once, before anything starts. */
  readonly stoppable: (stop: (how: 'pause' | 'at-once' | 'cancel') => void) => void;
}

export async function driveRun(state: RunState, deps: DriveDeps): Promise<RunState> {
  const { project, ledger, lease, clock, contracts, driver, seen, warn } = deps;
  const { run } = lease;
  await reap(run);

  const engine = localEngine({ perform: performDelegation({ project, run, contracts, driver, clock }) });
  const view = planView({
    project,
    file: await findPlanFile(project, state.planFile),
    hashes: state.planHashes,
    record: (event) => record([event]),
    trouble: warn,
  });
  // Between two rounds of the loop, which never waits in the middle of one.
  const committed = (events: readonly RunEvent[]): void => {
    for (const event of events) seen(event, state);
    view.follow(events, state);
  };
  const record = (events: readonly NewEvent[]): void => {
    const whole = events.map((event) => stamp(event, clock.now()));
    for (const event of whole) apply(state, event);
    lease.append(whole);
    committed(whole);
  };

  const found = await reconcile(state, recoverDelegation({ project, run, contracts, driver, clock }));
  record([...found, { kind: 'run.started', holder: deps.holder }, ...approvals(state)]);
  await view.write(state);
  await view.rename(state);

  deps.stoppable((how) => {
    engine.deliver({ kind: 'stop', how });
    // What was asked to end gently has had its chance.
    if (how !== 'pause') void reap(run).catch(warn);
  });
  const watching = new AbortController();
  watchInbox(ledger, lease, (happening) => engine.deliver(happening), watching.signal);
  try {
    await runLoop(state, {
      engine,
      clock,
      newDelegation: deps.newDelegation,
      append: (events, consumed) => void lease.append(events, consumed),
      committed,
      grace: deps.grace,
      atCheckpoint: deps.atCheckpoint,
    });
  } catch (error) {
    engine.cancel('at-once');
    await reap(run);
    throw error;
  } finally {
    watching.abort();
  }
  await view.write(state).catch(warn);
  await view.rename(state).catch(warn);
  return state;
}

/** Whoever resumes a run that waits at a checkpoint says yes to it. */
function approvals({ checkpoints }: RunState): NewEvent[] {
  const open = checkpoints.filter(({ status }) => status === 'open');
  return open.map(({ id }) => ({ kind: 'checkpoint.answered', checkpoint: id, approved: true, note: 'resumed' }));
}

function watchInbox(
  ledger: Ledger,
  { run }: Lease,
  deliver: (happening: Happening) => void,
  signal: AbortSignal,
): void {
  const seen = new Set<number>();
  const look = (): void => {
    for (const { id: row, message } of ledger.inbox(run).rows) {
      if (seen.has(row)) continue;
      seen.add(row);
      if (message.kind === 'answer') {
        const { checkpoint: key, approved, note } = message;
        deliver({ kind: 'answered', key, approved, row, ...(note === undefined ? {} : { note }) });
      } else {
        deliver({ kind: 'stop', how: message.kind, row });
      }
    }
  };
  look();
  watchLedger(ledger.file, look, signal);
}
