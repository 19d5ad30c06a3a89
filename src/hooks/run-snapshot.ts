/** RunSnapshot: a read-only view of the run; takes no lease, loads no schemas. */
import { type RemainingWork, remainingWork } from '../conversation/advance.ts';
import type { RunMemory } from '../conversation/in-run.ts';
import type { RunState } from '../core/state/state.ts';
import { lookAtRun } from '../ledger/look-at-run.ts';
import { ledgerFile } from '../workspace/places.ts';
import type { HookRun } from './hook-run.ts';

/** `folded` lets the steps that record continue from here: a hook folds the run once. They change `state` in place. */
export interface RunSnapshot extends RunMemory {
  readonly hookRun: HookRun;
  readonly state: RunState;
}

export function runSnapshot(hookRun: HookRun): RunSnapshot {
  const folded = lookAtRun(ledgerFile(hookRun.project, hookRun.environment), hookRun.run);
  return { hookRun, state: folded.state, folded };
}

/** Undefined where the core has events to record first. */
export function advanceReadOnly({ state }: RunSnapshot): RemainingWork | undefined {
  return remainingWork(state, Date.now());
}
