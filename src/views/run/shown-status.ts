/** Shown status: what every view says about a run. The ledger alone does not know whether anything still works on it. */
import type { RunStatus } from '../../core/state/state.ts';

export type ShownStatus = RunStatus | 'interrupted' | 'waiting for a conductor';
