/** Read-only snapshot of the run: takes no lease, loads no schemas. */
import { join } from 'node:path';
import { type Advanced, advanced } from '../conversation/advance.ts';
import type { FoldedRun } from '../ledger/fold-run.ts';
import { lookAtRun } from '../ledger/look-at-run.ts';
import type { Where } from './where.ts';

export interface Look extends FoldedRun {
  readonly where: Where;
}

export function look(where: Where): Look {
  return { where, ...lookAtRun(join(where.project, '.divisi', 'ledger.db'), where.run) };
}

/** Undefined where the core has something to record first. */
export function quietly({ state }: Look): Advanced | undefined {
  return advanced(state, Date.now());
}
