/** The run as it stands, read and not taken: whoever only looks waits for nobody, and loads less. */
import { join } from 'node:path';
import type { RunState } from '../core/state.ts';
import { foldRun } from '../ledger/fold-run.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { Where } from './step.ts';

export interface Look {
  readonly where: Where;
  readonly state: RunState;
}

export function look(where: Where): Look {
  const ledger = openLedger(join(where.project, '.tutti', 'ledger.db'), { readOnly: true });
  try {
    return { where, state: foldRun(ledger, where.run) };
  } finally {
    ledger.close();
  }
}
