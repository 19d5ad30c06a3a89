/** The state of a run as its ledger has it. */
import { divisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { apply } from '../core/apply/apply.ts';
import type { RunEvent } from '../core/event/event.ts';
import { readRest, writeRest } from '../core/state/state-at-rest.ts';
import { coreVersion, type RunState } from '../core/state/state.ts';
import type { Ledger, LedgerReader } from './ledger.ts';

type EventReader = Pick<LedgerReader, 'read' | 'snapshot'>;

/** `seen` is told each event with the state after it; without it, what a snapshot knows is not read again. */
export function foldRun(ledger: EventReader, run: RunId, seen?: (event: RunEvent, state: RunState) => void): RunState {
  const rest = seen === undefined ? foldRest(ledger, run) : undefined;
  let state = rest?.state;
  for (const event of ledger.read(run, rest?.seq)) {
    state = apply(state, event);
    seen?.(event, state);
  }
  if (state === undefined) {
    throw divisiError('RUN_UNKNOWN', {
      message: `there is no run ${run}`,
      next: '`divisi list` shows the runs of this project.',
      ids: { run },
    });
  }
  if (state.created.core === coreVersion) return state;
  throw divisiError('LEDGER_NEWER', {
    message: `${run} was begun by version ${state.created.core} of the rules; this Divisi has version ${coreVersion}`,
    next: 'Use the Divisi it was begun with.',
    ids: { run },
  });
}

const planning = new Set<RunEvent['kind']>(['run.created', 'wave.planned', 'plan.confirmed']);

/** The state as it was when the run last came to rest, and the number of its last event. */
function foldRest(ledger: EventReader, run: RunId): { state: RunState; seq: number } | undefined {
  const snapshot = ledger.snapshot(run, coreVersion);
  if (snapshot === null) return undefined;
  let state: RunState | undefined;
  for (const event of ledger.read(run)) {
    if (!planning.has(event.kind)) break;
    state = apply(state, event);
  }
  return state !== undefined && readRest(state, snapshot.body) ? { state, seq: snapshot.seq } : undefined;
}

/** Fewer events than these are read as fast as a snapshot. */
const worthwhile = 5000;

/** For whoever takes up a run that has come to rest; one that has completed is not taken up again. */
export function keepRest(ledger: Ledger, state: RunState, head: number): void {
  const text = head < worthwhile || state.status === 'completed' ? undefined : writeRest(state);
  if (text !== undefined) ledger.saveSnapshot(state.created.run, head, coreVersion, text);
}
