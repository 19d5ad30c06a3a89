/** Folds a run's events into its state, starting from a snapshot where possible. */
import { divisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { apply } from '../core/apply/apply.ts';
import type { EventOf, RunEvent } from '../core/event/event.ts';
import { restoreSnapshot, writeSnapshot } from '../core/state/snapshot.ts';
import { coreVersion, type RunState } from '../core/state/state.ts';
import type { Ledger, LedgerReader } from './ledger.ts';

type EventReader = Pick<LedgerReader, 'read' | 'snapshot'>;

/** `seen` receives each event with the state after it; without it, events covered by a snapshot are not read again. */
export function foldRun(ledger: EventReader, run: RunId, seen?: (event: RunEvent, state: RunState) => void): RunState {
  return fold(ledger, run, seen === undefined ? foldRest(ledger, run) : undefined, seen).state;
}

/** A run's state and the number of the last event in it. */
export interface FoldedRun {
  readonly state: RunState;
  readonly seq: number;
}

/** Applies only the events after `known`, whose state it changes in place; without one, folds the whole run. */
export function foldOn(ledger: EventReader, run: RunId, known?: FoldedRun): FoldedRun {
  return fold(ledger, run, known ?? foldRest(ledger, run));
}

function fold(
  ledger: EventReader,
  run: RunId,
  from: FoldedRun | undefined,
  seen?: (event: RunEvent, state: RunState) => void,
): FoldedRun {
  let state = from?.state;
  let seq = from?.seq ?? 0;
  for (const event of ledger.read(run, seq)) {
    state = checkAndApply(state, event);
    seq = event.seq;
    seen?.(event, state);
  }
  if (state === undefined) {
    throw divisiError('RUN_UNKNOWN', {
      message: `there is no run ${run}`,
      next: '`divisi list` shows the runs of this project.',
      ids: { run },
    });
  }
  return { state, seq };
}

function checkAndApply(state: RunState | undefined, event: RunEvent): RunState {
  if (event.kind === 'run.created') checkVersion(event);
  return apply(state, event);
}

/** Runs before any event is applied: in another version of the core it may mean something else. */
function checkVersion({ run, core }: EventOf<'run.created'>): void {
  if (core === coreVersion) return;
  throw divisiError('LEDGER_NEWER', {
    message: `${run} was started with core version ${core}; this Divisi has core version ${coreVersion}`,
    expected: `core version ${coreVersion}`,
    got: `core version ${core}`,
    next: 'Use the Divisi version that started it.',
    ids: { run },
  });
}

const planning = new Set<RunEvent['kind']>(['run.created', 'wave.planned', 'plan.confirmed']);

/** The state as it was when the run last came to rest, and the number of its last event. */
function foldRest(ledger: EventReader, run: RunId): FoldedRun | undefined {
  const snapshot = ledger.snapshot(run, coreVersion);
  if (snapshot === null) return undefined;
  let state: RunState | undefined;
  for (const event of ledger.read(run)) {
    if (!planning.has(event.kind)) break;
    state = checkAndApply(state, event);
  }
  return state !== undefined && restoreSnapshot(state, snapshot.body) ? { state, seq: snapshot.seq } : undefined;
}

/** Reading fewer events than this is as fast as loading a snapshot. */
const worthwhile = 5000;

/** Stores a snapshot of a run at rest for the next resume; a completed run needs none. */
export function keepRest(ledger: Ledger, state: RunState, head: number): void {
  const text = head < worthwhile || state.status === 'completed' ? undefined : writeSnapshot(state);
  if (text !== undefined) ledger.saveSnapshot(state.created.run, head, coreVersion, text);
}
