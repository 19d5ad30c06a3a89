/** Signs that a result is worth less than it looks, from how it came about. None of them alone is a reason to refuse it. */
import type { WorkFinding } from '../../core/event/verification.ts';
import { finding } from '../../core/work/work-findings.ts';

export interface Signals {
  /** How often the return had to be repaired. */
  readonly repairs: number;
  /** Whether the task is to change something at all. */
  readonly expectsChanges: boolean;
  readonly changed: number;
  /** Where the driver knows. */
  readonly toolCalls?: number | undefined;
}

export function checkSignals({ repairs, expectsChanges, changed, toolCalls }: Signals): WorkFinding[] {
  const times = repairs === 1 ? 'once' : `${repairs} times`;
  return [
    ...(repairs > 0 ? [finding('repaired', { fact: `its return had to be repaired ${times}` })] : []),
    ...(expectsChanges && changed === 0 ? [finding('empty-diff', { fact: 'no file has changed' })] : []),
    ...(toolCalls === 0 ? [finding('no-tools-used', { fact: 'its agent used no tool' })] : []),
  ];
}
