/** Decides the shown status of a run: what the ledger says, unless nothing works on the run any longer. */
import type { Conductor } from '../core/state/conductor.ts';
import type { RunState } from '../core/state/state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { isAlive } from '../process/identity.ts';
import type { ShownStatus } from '../views/run/shown-status.ts';
import { readableRun } from './readable-run.ts';
import { livingHolder } from './with-lease.ts';

/** `state`: of the same run, where the caller has it. */
export function shownStatusOf(ledger: LedgerReader, row: RunRow, state?: RunState): ShownStatus {
  const { run, status, kind } = row;
  if (status !== 'running') return status;
  if (kind !== 'conducted') return livingHolder(ledger, run) === null ? 'interrupted' : status;
  const conductor = (state ?? readableRun(ledger, run))?.conductor ?? null;
  return conductor !== null && isGone(conductor) ? 'waiting for a conductor' : status;
}

/** It has left the run, or its client is dead. */
function isGone({ left, process }: Conductor): boolean {
  return left !== null || (process !== undefined && !isAlive(process));
}
