/** How each program says that it cannot go on: see `failure-row.ts`. */
import type { FailureRow } from './failure-row.ts';

export const claudeFailures: readonly FailureRow[] = [];
export const codexFailures: readonly FailureRow[] = [];
export const copilotFailures: readonly FailureRow[] = [];
export const geminiFailures: readonly FailureRow[] = [];
export const gooseFailures: readonly FailureRow[] = [];
export const opencodeFailures: readonly FailureRow[] = [];
