/** Classifies a task's last failure for policies and the circuit breaker. */
import { rulesOf } from '../event/run-kind.ts';
import { approvalOf, signatureOf } from '../../gates/failure-policy.ts';
import { isDoc } from '../event/workflow-step.ts';
import { failureOf } from '../event/make-outcome.ts';
import type { Outcome } from '../event/outcome.ts';
import type { RunState } from './state.ts';
import type { TaskState } from './task-state.ts';

/** The signature that the task's last failure shares with others like it. */
export function signatureOfTask({ progress }: TaskState): string | undefined {
  const failure = progress.status === 'ended' ? failureOf(progress.outcome) : undefined;
  return failure === undefined ? undefined : signatureOf(failure.class, failure.message);
}

/**
 * The effect of a person's approval of a failure: work with an invalid return is accepted as it is, if there is any. A
 * feature is built from its document, so without a usable document it is described again.
 */
export function approvalOfTask({ created }: RunState, { planned, progress, attempt }: TaskState): 'retry' | 'accept' {
  const outcome = progress.status === 'ended' ? progress.outcome : undefined;
  const failure = outcome === undefined ? undefined : failureOf(outcome);
  if (failure === undefined) return 'retry';
  const isUndescribed = rulesOf(created).grows && isDoc(planned.id) && outcome?.document === undefined;
  if (isUndescribed || !hasWork(outcome, attempt)) return 'retry';
  return approvalOf(failure.class);
}

/** A changed file, a commit or a report. */
function hasWork(outcome: Outcome | undefined, attempt: TaskState['attempt']): boolean {
  const { left = [], report, document } = outcome ?? {};
  return (
    left.length > 0 || report !== undefined || document !== undefined || attempt?.verification?.commit !== undefined
  );
}
