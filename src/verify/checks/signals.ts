/** Collects signs that a result is worth less than it looks. None of them alone rejects it. */
import type { WorkFinding } from '../../core/event/verification.ts';
import { finding } from '../../core/event/work-findings.ts';

export interface Signals {
  /** How often the return was repaired. */
  readonly repairs: number;
  /** Whether the task should change files. */
  readonly expectsChanges: boolean;
  readonly changed: number;
  /** Absent when the driver does not know. */
  readonly toolCalls?: number | undefined;
}

export function checkSignals({ repairs, expectsChanges, changed, toolCalls }: Signals): WorkFinding[] {
  const times = repairs === 1 ? 'once' : `${repairs} times`;
  return [
    ...(repairs > 0 ? [finding('repaired', { fact: `the return was repaired ${times}` })] : []),
    ...(expectsChanges && changed === 0 ? [finding('empty-diff', { fact: 'no files changed' })] : []),
    ...(toolCalls === 0 ? [finding('no-tools-used', { fact: 'the agent used no tools' })] : []),
  ];
}
