/**
 * RunSession: one process working on one run that it holds, whatever performs the tasks.
 *
 *   state        what happens                                                next
 *   new          nothing                                                     opening
 *   opening      processes of an earlier session end; files are prepared     reconciling
 *   reconciling  delegations of an earlier session get their end             resuming; starting for a new run
 *   resuming     finished work is checked, in one transaction                starting; closing if the run is still completed
 *   starting     `run.started` is committed, the plan file is written, and   running; closing if the run is cancelled because it
 *                a first room is set up                                      cannot be
 *   running      the loop runs until the run has ended or is paused          closing
 *   closing      plan file and summary are written, cleanup is awaited       closed
 *   failed       after an error: activities are cancelled, processes end     closed
 *
 * Any state from opening to running may fail; the error is rethrown. `stop` and `answer` are accepted in every state up to
 * running: the loop takes them when it starts, and `stop` also interrupts resuming and the first set-up. `edited` is accepted while starting and running.
 *
 * Every event of the run goes through `commits`, its one queue: reconciling, resuming, the rounds of the loop and the records of
 * the plan file. Nothing else applies or appends an event. Activities report to the engine and never commit, so a worker may run
 * on another machine.
 */
import type { LookAtDisk } from '../run-work/room-space.ts';
import type { Agents } from '../agents/registry.ts';
import { defined } from '../base/defined.ts';
import { delegationIds } from '../base/ids.ts';
import { redactedLine } from '../base/text.ts';
import type { EventOf, NewEvent } from '../core/event/event.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { Happening, StopKind } from '../engine/engine.ts';
import { localEngine, type Perform, type PerformStep } from '../engine/local/local-engine.ts';
import type { CommitQueue } from '../ledger/commit-queue.ts';
import { keepRest } from '../ledger/fold-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { noView, openPlanView, type PlanViewPorts, writeSummary } from './plan-file/open-plan-view.ts';
import { planEdited } from './plan-file/plan-edited.ts';
import type { PlanFound } from './plan-file/plan-view.ts';
import { type Recover, reconcile } from './reconcile.ts';
import { runLoop } from './run-loop.ts';
import { watchInbox } from './watch-inbox.ts';
import { systemClock } from '../engine/clock.ts';

/** Workers: performs the activities and steps of a run, and cleans up after them. */
export interface Workers {
  readonly perform: Perform;
  /** Absent where nothing is verified or merged. */
  readonly performStep?: PerformStep;
  readonly recover: Recover;
  /** See `register-delegation.ts`. */
  readonly keyOf?: (task: string) => string | undefined;
  /** Ends the processes of an earlier session and prepares the workspace. */
  readonly open?: () => Promise<void>;
  /** Throws where rooms cannot be set up; called before the first delegation. An aborted signal ends it early. */
  readonly tryOut?: (signal: AbortSignal) => Promise<void>;
  /** Checks finished work before a resumed run continues. Absent for a new run. An aborted signal ends it early. */
  readonly resume?: (record: (event: NewEvent) => void, signal: AbortSignal) => Promise<void>;
  /** Ends the processes of the run; after `cause`, only those that still belong to this session. */
  readonly reap?: (cause?: unknown) => Promise<void>;
  /** Waits for cleanup that is under way. */
  readonly idle?: () => Promise<void>;
  /** Absent: the disk is not looked at. */
  readonly disk?: LookAtDisk;
}

/** The parameters of `run.started` that a resumed run may set. */
export type RunStart = Pick<EventOf<'run.started'>, 'skipFailed' | 'audit' | 'deadlines' | 'onTrouble'>;

export interface RunPorts {
  readonly ledger: Ledger;
  readonly commits: CommitQueue;
  readonly workers: Workers;
  /** The files that show the run to people. Absent for a run without a project. */
  readonly files?: Pick<PlanViewPorts, 'project' | 'unwritten'> & {
    readonly agents: Agents;
    /** Agents can write them, too. */
    readonly isUnconfined?: boolean;
  };
  readonly start: RunStart & { readonly command: string };
  /** Milliseconds, see `run-loop.ts`. */
  readonly grace: number;
  readonly atCheckpoint: 'wait' | 'pause';
  /** Reports a problem that does not stop the run. */
  readonly warn: (error: unknown) => void;
}

export interface RunSession {
  /** Resolves when the run has ended or is paused. Called once. */
  readonly start: () => Promise<RunState>;
  readonly stop: (how: StopKind) => void;
  readonly answer: (checkpoint: string, approved: boolean) => void;
  /** Takes an edit of the plan file; false where the session does not accept it. */
  readonly edited: (found: PlanFound) => boolean;
}

/** Given to a front door: controls the run of this process. */
export type RunControls = Pick<RunSession, 'stop' | 'answer'>;

type SessionState =
  | 'new'
  | 'opening'
  | 'reconciling'
  | 'resuming'
  | 'starting'
  | 'running'
  | 'closing'
  | 'failed'
  | 'closed';

const transitions: Readonly<Record<SessionState, readonly SessionState[]>> = {
  new: ['opening'],
  opening: ['reconciling', 'failed'],
  reconciling: ['resuming', 'starting', 'failed'],
  resuming: ['starting', 'closing', 'failed'],
  starting: ['running', 'closing', 'failed'],
  running: ['closing', 'failed'],
  closing: ['closed'],
  failed: ['closed'],
  closed: [],
};

/** Milliseconds that a hard stop leaves to activities before their processes are reaped. */
const reapAfter = 500;

/** `summary.md` is written when they happen, and at the end. */
const summarised: ReadonlySet<string> = new Set<RunEvent['kind']>(['checkpoint.opened', 'wave.started', 'wave.ended']);

export function runSession(state: RunState, ports: RunPorts): RunSession {
  const { ledger, commits, workers, files, warn } = ports;
  const { run } = state.created;
  const { perform, performStep, keyOf } = workers;
  const engine = localEngine({ perform, ...defined({ performStep }), clock: systemClock });
  const watching = new AbortController();
  const resuming = new AbortController();
  let now: SessionState = 'new';
  let view = noView;
  let summary = Promise.resolve();
  let lastReap: NodeJS.Timeout | undefined;
  let unable: { readonly error: unknown } | undefined;

  function enter(next: SessionState): void {
    if (!transitions[now].includes(next)) throw new Error(`a session cannot go from ${now} to ${next}`);
    now = next;
  }

  const isLeaving = (): boolean => now === 'closing' || now === 'failed' || now === 'closed';

  function deliver(happening: Happening): void {
    if (isLeaving()) return;
    engine.deliver(happening);
    if (happening.kind === 'stop') resuming.abort();
  }

  function stop(how: StopKind): void {
    deliver({ kind: 'stop', how });
    if (how === 'pause' || isLeaving() || workers.reap === undefined) return;
    const { reap } = workers;
    lastReap ??= setTimeout(() => void reap().catch(warn), reapAfter);
  }

  function edited(found: PlanFound): boolean {
    if (files === undefined || (now !== 'starting' && now !== 'running')) return false;
    deliver({ kind: 'edited', edit: planEdited(state, found, files.agents, files.isUnconfined) });
    return true;
  }

  /** One after the other: the last one is the latest. */
  function summarise(): void {
    if (files !== undefined) summary = summary.then(() => writeSummary(files.project, state)).catch(warn);
  }

  async function open(): Promise<void> {
    await workers.open?.();
    commits.follow((events) => {
      if (events.some(({ kind }) => summarised.has(kind))) summarise();
    });
    if (files !== undefined) view = await openPlanView(state, { ...files, commits, warn, edited });
  }

  async function reconcileLost(): Promise<void> {
    enter('reconciling');
    commits.commit(await reconcile(state, workers.recover));
    watchInbox(ledger, run, { deliver, fail: (error) => engine.fail(error) }, watching.signal);
  }

  async function resume(check: NonNullable<Workers['resume']>): Promise<void> {
    enter('resuming');
    const { record, commit } = commits.begin();
    await check(record, resuming.signal);
    commit();
  }

  async function announce(): Promise<void> {
    enter('starting');
    commits.commit([{ kind: 'run.started', ...ports.start }]);
    try {
      await view.write(state);
      await view.rename(state);
    } catch (error) {
      // A new run is given up when its plan cannot be written; a resumed run continues.
      if (workers.resume !== undefined) return warn(error);
      commits.commit([{ kind: 'run.ended', status: 'cancelled' }]);
      throw error;
    }
  }

  /** A run that cannot set up a room is cancelled before it costs anything. */
  async function tryOut(): Promise<void> {
    if (!isUntouched(state)) return;
    try {
      await workers.tryOut?.(resuming.signal);
    } catch (error) {
      unable = { error };
      const { record, commit } = commits.begin();
      record({ kind: 'run.ended', status: 'cancelled', reason: whyOf(error) });
      commit(ledger.inbox(run).rows.map(({ id }) => id));
    }
  }

  async function loop(): Promise<void> {
    enter('running');
    view.watch(state);
    await runLoop(state, {
      engine,
      before: () => engine.drain(),
      commits,
      clock: systemClock,
      newDelegation: delegationIds(systemClock, Math.random),
      ...defined({ keyOf, disk: workers.disk }),
      grace: ports.grace,
      atCheckpoint: ports.atCheckpoint,
    });
    keepRest(ledger, state, commits.head());
  }

  async function work(): Promise<void> {
    await open();
    await reconcileLost();
    if (workers.resume !== undefined) await resume(workers.resume);
    if (state.status === 'completed') {
      // Nothing was reopened: there is nothing to stop or to answer either.
      commits.begin().commit(ledger.inbox(run).rows.map(({ id }) => id));
      return;
    }
    await announce();
    await tryOut();
    if (unable === undefined) await loop();
  }

  async function close(): Promise<void> {
    enter('closing');
    await view.write(state).catch(warn);
    await view.rename(state).catch(warn);
    await view.close();
    summarise();
    await summary;
    await workers.idle?.();
    enter('closed');
  }

  async function fail(error: unknown): Promise<void> {
    enter('failed');
    engine.cancel('at-once');
    await view.close();
    await workers.reap?.(error);
    enter('closed');
  }

  async function start(): Promise<RunState> {
    enter('opening');
    try {
      await work();
    } catch (error) {
      await fail(error);
      throw error;
    } finally {
      watching.abort();
      clearTimeout(lastReap);
    }
    await close();
    if (unable !== undefined) throw unable.error;
    return state;
  }

  return { start, stop, edited, answer: (key, approved) => deliver({ kind: 'answered', key, approved }) };
}

/** One line of it; the error itself goes to the caller. */
function whyOf(error: unknown): string {
  return redactedLine(error instanceof Error ? error.message : String(error), 300);
}

/** No task has had a delegation. */
function isUntouched({ tasks, gateTasks }: RunState): boolean {
  return gateTasks.size === 0 && tasks.values().every(({ attempts }) => attempts === 0);
}
