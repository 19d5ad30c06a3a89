/** Reads a run, unless this Divisi cannot: another version of the core started it, or its events are damaged. For looks at many runs. */
import { isRefusal } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import type { RunState } from '../core/state/state.ts';
import { foldRun } from '../ledger/fold-run.ts';
import type { LedgerReader } from '../ledger/ledger.ts';

export function readableRun(ledger: LedgerReader, run: RunId): RunState | undefined {
  try {
    return foldRun(ledger, run);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}
