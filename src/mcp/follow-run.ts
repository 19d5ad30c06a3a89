/**
 * Follows a run in the ledger until it ends, pauses, asks a person, or loses its process. Drives nothing: the run
 * continues when following stops.
 */
import type { RunId } from '../base/ids.ts';
import { apply } from '../core/apply/apply.ts';
import { isOver, openCheckpoints, type RunState } from '../core/state/state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';
import { readLedger } from '../project/project-ledger.ts';
import { ledgerFile } from '../workspace/places.ts';
import { livingHolder } from '../project/with-lease.ts';

export interface FollowedRun {
  readonly state: RunState;
  /** Its status is running, but no process works on it. */
  readonly isInterrupted: boolean;
}

export interface FollowOptions {
  readonly project: string;
  readonly run: RunId;
  readonly signal: AbortSignal;
  /** Called after every read. */
  readonly seen: (state: RunState) => void;
  /** Checkpoints already answered; the run's process may not have read the answer yet. */
  readonly answered?: ReadonlySet<string>;
}

/** Milliseconds between checks of the holder, whose death leaves no trace in the ledger. */
const lookEvery = 1000;
/** Milliseconds for the holder to release the run before another process resumes it. */
const patience = 5000;

/** Undefined when the signal was aborted first. */
export async function followRun(options: FollowOptions): Promise<FollowedRun | undefined> {
  const { project, run, signal } = options;
  const ledger = readLedger(project);
  const watching = new AbortController();
  try {
    return await new Promise<FollowedRun | undefined>((resolve, reject) => {
      const read = reader(ledger, run);
      let restSince: number | undefined;
      const look = (): void => {
        if (signal.aborted) return resolve(undefined);
        try {
          let state = read();
          options.seen(state);
          const isHeld = livingHolder(ledger, run) !== null;
          // Its last events, written before the release.
          if (!isHeld) state = read();
          const isAtRest = isOver(state.status) || state.status === 'paused';
          if (isAtRest) restSince ??= performance.now();
          if (!isHeld) return resolve({ state, isInterrupted: !isAtRest });
          const isLate = restSince !== undefined && performance.now() - restSince > patience;
          if (isLate || waitsForAnswer(state, options.answered)) resolve({ state, isInterrupted: false });
        } catch (error) {
          reject(error);
        }
      };
      signal.addEventListener('abort', look, { signal: watching.signal });
      const heartbeat = setInterval(look, lookEvery);
      watching.signal.addEventListener('abort', () => clearInterval(heartbeat));
      watchLedger(ledgerFile(project), look, watching.signal);
      look();
    });
  } finally {
    watching.abort();
    ledger.close();
  }
}

/** Each call reads what is new. */
function reader(ledger: LedgerReader, run: RunId): () => RunState {
  let last = 0;
  let state: RunState | undefined;
  return () => {
    for (const event of ledger.read(run, last)) {
      state = apply(state, event);
      last = event.seq;
    }
    if (state === undefined) throw new Error(`${run} has no events`);
    return state;
  };
}

/** True while a person is asked at a terminal and nothing else runs. */
function waitsForAnswer(state: RunState, answered: ReadonlySet<string> = new Set()): boolean {
  const { status, active, index } = state;
  if (status !== 'running' || active.size > 0 || index.settling.size > 0) return false;
  const open = openCheckpoints(state);
  return open.length > 0 && open.every(({ id }) => !answered.has(id));
}
