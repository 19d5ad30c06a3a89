/**
 * Follows a run in the ledger until it needs somebody: it has ended, is paused, asks a person, or nobody works on it any more.
 * Nothing here drives the run, so nothing that ends here ends it.
 */
import type { RunId } from '../base/ids.ts';
import { apply } from '../core/apply/apply.ts';
import { isOver, openCheckpoints, type RunState } from '../core/state/state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { watchLedger } from '../ledger/watch-ledger.ts';
import { ledgerFile, readLedger } from '../project/project-ledger.ts';
import { livingHolder } from '../project/with-lease.ts';

export interface Stand {
  readonly state: RunState;
  /** It calls itself running, and nobody works on it. */
  readonly isInterrupted: boolean;
}

export interface FollowOptions {
  readonly project: string;
  readonly run: RunId;
  readonly signal: AbortSignal;
  /** Told after every look. */
  readonly seen: (state: RunState) => void;
  /** Checkpoints that have been answered, whether whoever works on the run has read it or not. */
  readonly answered?: ReadonlySet<string>;
}

/** A holder that dies changes nothing in the ledger: so often it is looked at. */
const lookEvery = 1000;
/** Milliseconds for whoever worked on the run to let go of it, before somebody else takes it up. */
const patience = 5000;

/** Undefined when the signal was aborted first. */
export async function followRun(options: FollowOptions): Promise<Stand | undefined> {
  const { project, run, signal } = options;
  const ledger = readLedger(project);
  const watching = new AbortController();
  try {
    return await new Promise<Stand | undefined>((resolve, reject) => {
      const read = reader(ledger, run);
      let restSince: number | undefined;
      const look = (): void => {
        if (signal.aborted) return resolve(undefined);
        try {
          let state = read();
          options.seen(state);
          const isHeld = livingHolder(ledger, run) !== null;
          // What it wrote last, before it let go.
          if (!isHeld) state = read();
          const isAtRest = isOver(state.status) || state.status === 'paused';
          if (isAtRest) restSince ??= Date.now();
          if (!isHeld) return resolve({ state, isInterrupted: !isAtRest });
          const isLate = restSince !== undefined && Date.now() - restSince > patience;
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

/** Somebody waits at it with a terminal, and nothing else goes on meanwhile. */
function waitsForAnswer(state: RunState, answered: ReadonlySet<string> = new Set()): boolean {
  const { status, active, settling } = state;
  if (status !== 'running' || active.size > 0 || settling.size > 0) return false;
  const open = openCheckpoints(state);
  return open.length > 0 && open.every(({ id }) => !answered.has(id));
}
