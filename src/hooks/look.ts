/** The run as it stands, read and not taken: whoever only looks waits for nobody, and loads less. */
import { join } from 'node:path';
import { type Advanced, advanced } from '../conversation/advance.ts';
import type { RunState } from '../core/state/state.ts';
import { lookAtRun } from '../ledger/look-at-run.ts';
import type { Where } from './where.ts';

export interface Look {
  readonly where: Where;
  readonly state: RunState;
}

export function look(where: Where): Look {
  return { where, state: lookAtRun(join(where.project, '.divisi', 'ledger.db'), where.run) };
}

/** What may be done now, where the core has nothing to record first; undefined where it has. */
export function quietly({ state }: Look): Advanced | undefined {
  return advanced(state, Date.now());
}
