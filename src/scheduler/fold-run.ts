/** The state of a run as its ledger has it. */
import { tuttiError } from '../contracts/error.ts';
import type { RunId } from '../contracts/ids.ts';
import { apply } from '../core/apply.ts';
import { coreVersion, type RunState } from '../core/state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';

export function foldRun(ledger: LedgerReader, run: RunId): RunState {
  let state: RunState | undefined;
  for (const event of ledger.read(run)) state = apply(state, event);
  if (state === undefined) {
    throw tuttiError('RUN_UNKNOWN', {
      message: `there is no run ${run}`,
      next: '`tutti list` shows the runs of this project.',
      ids: { run },
    });
  }
  if (state.created.core === coreVersion) return state;
  throw tuttiError('LEDGER_NEWER', {
    message: `${run} was begun by version ${state.created.core} of the rules; this Tutti has version ${coreVersion}`,
    next: 'Use the Tutti it was begun with.',
    ids: { run },
  });
}
