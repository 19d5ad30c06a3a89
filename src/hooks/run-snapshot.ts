/** RunSnapshot: a read-only view of the run; takes no lease, loads no schemas. */
import { type RemainingWork, remainingWork } from '../conversation/advance.ts';
import type { FoldedRun } from '../ledger/fold-run.ts';
import { lookAtRun } from '../ledger/look-at-run.ts';
import { ledgerFile } from '../workspace/places.ts';
import type { HookRun } from './hook-run.ts';

export interface RunSnapshot extends FoldedRun {
  readonly hookRun: HookRun;
}

export function runSnapshot(hookRun: HookRun): RunSnapshot {
  return { hookRun, ...lookAtRun(ledgerFile(hookRun.project, hookRun.environment), hookRun.run) };
}

/** Undefined where the core has events to record first. */
export function advanceReadOnly({ state }: RunSnapshot): RemainingWork | undefined {
  return remainingWork(state, Date.now());
}
