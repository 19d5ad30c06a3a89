/**
 * runTasks: runs a plan whose tasks a program performs itself. Session, loop, engine and guarantees are those of every other run;
 * there is no plan file and no driver.
 *
 * A task that was running when the process died is performed again when the run is resumed: at least once.
 */
import { messageOf, divisiError } from '../../base/error.ts';
import type { RunId } from '../../base/ids.ts';
import type { NewEvent, RunEvent } from '../../core/event/event.ts';
import { outcomeFrom, type PartialOutcome } from '../../core/event/make-outcome.ts';
import type { RunState } from '../../core/state/state.ts';
import type { Activity } from '../../core/attempt/activity.ts';
import type { Note } from '../../engine/engine.ts';
import type { Perform } from '../../engine/local/local-engine.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { checkPlan } from '../../plan/plan-graph.ts';
import type { Plan } from '../../plan/plan.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { broken } from '../../reading/outcome.ts';
import { commitQueue } from '../../ledger/commit-queue.ts';
import type { Lease } from '../../ledger/lease.ts';
import { withLease } from '../../project/with-lease.ts';
import { runSession } from '../run-session.ts';
import { systemClock } from '../../engine/clock.ts';
import { beginRun } from './begin-run.ts';
import { planEvents } from './plan-events.ts';

/**
 * Performs one attempt at a task. Resolves when it completed, or with another outcome; throws when it failed. The signal is aborted
 * when the run stops. The activity has a deadline, which this function has to keep.
 */
export type PerformTask = (
  activity: Activity,
  signal: AbortSignal,
  note: (note: Note) => void,
) => Promise<PartialOutcome | void>;

export type TaskRunOptions = {
  /** A file, created if missing, or a ledger that the caller opens and closes. */
  readonly ledger: string | Ledger;
  readonly perform: PerformTask;
  /** Called once per commit with the events that became durable. */
  readonly seen?: (events: readonly RunEvent[], state: RunState) => void;
  /** Pauses the run at once; it can be resumed. */
  readonly signal?: AbortSignal;
  readonly atCheckpoint?: 'wait' | 'pause';
} & ({ readonly plan: Plan; readonly concurrency?: number } | { readonly resume: RunId });

const holding = { command: 'runTasks', warn: (): void => undefined };

/** Runs until every task has ended or the run is paused; the returned state shows which. */
export async function runTasks(options: TaskRunOptions): Promise<RunState> {
  if (typeof options.ledger !== 'string') return runIn(options.ledger, options);
  const ledger = openLedger(options.ledger);
  try {
    return await runIn(ledger, options);
  } finally {
    ledger.close();
  }
}

async function runIn(ledger: Ledger, options: TaskRunOptions): Promise<RunState> {
  const { seen } = options;
  if ('resume' in options) {
    const run = options.resume;
    return withLease(ledger, run, holding, (lease) => work(ledger, lease, unfinished(ledger, run), options));
  }
  checkPlan(options.plan);
  const events: RunEvent[] = [];
  const spec = { events: (run: RunId) => firstEvents(run, options) };
  return beginRun(spec, { ...holding, ledger, seen: (event) => events.push(event) }, ({ lease, state }) => {
    seen?.(events, state);
    return work(ledger, lease, state, options);
  });
}

async function work(ledger: Ledger, lease: Lease, state: RunState, options: TaskRunOptions): Promise<RunState> {
  const { signal, seen, perform, atCheckpoint = 'pause' } = options;
  const commits = commitQueue(state, { lease, clock: systemClock });
  if (seen !== undefined) commits.follow(seen);
  const session = runSession(state, {
    ledger,
    commits,
    workers: { perform: performing(perform, signal), recover: async () => undefined },
    start: { command: holding.command },
    grace: 0,
    atCheckpoint,
    warn: holding.warn,
  });
  const stop = (): void => session.stop('at-once');
  if (signal?.aborted === true) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return session.start();
}

function firstEvents(run: RunId, { plan, concurrency }: { plan: Plan; concurrency?: number }): NewEvent[] {
  const settings = {
    concurrency: concurrency ?? plan.settings.concurrency ?? 1,
    driver: '',
    deadlines: {},
    mode: 'default' as const,
    budgets: {},
    gated: false,
  };
  return planEvents({ run, file: '', hash: '', plan, settings });
}

function unfinished(ledger: Ledger, run: RunId): RunState {
  const state = foldRun(ledger, run);
  if (state.status !== 'completed') return state;
  throw divisiError('RUN_ENDED', {
    message: `${run} has completed; there is nothing to resume`,
    next: 'Start a new run.',
    ids: { run },
  });
}

function performing(perform: PerformTask, stop: AbortSignal | undefined): Perform {
  return async (activity, signal, note) => {
    try {
      const said = await perform(activity, signal, note);
      return { end: 'returned', outcome: outcomeFrom(said ?? {}) };
    } catch (error) {
      if (signal.aborted || stop?.aborted === true) return { end: 'cancelled', outcome: cancelled };
      const message = messageOf(error);
      return { end: 'returned', outcome: broken({ class: 'agent-error', message }, 'failed', { repairs: 0 }) };
    }
  };
}

const cancelled = broken({ class: 'cancelled', message: 'the run was stopped' }, 'partial', { repairs: 0 });
