/** Why an attempt failed, as policies and the circuit breaker see it. */
import { signatureOf } from '../gates/failure-policy.ts';
import type { Outcome } from './outcome.ts';
import type { TaskState } from './task-state.ts';

/** Why an attempt did not complete; an outcome that gives no reason is the agent's failure. */
export function failureOf({ status, failure, summary }: Outcome): Outcome['failure'] {
  return status === 'completed' ? undefined : (failure ?? { class: 'agent-error', message: summary });
}

/** What its last failure has in common with others. */
export function signatureOfTask({ progress }: TaskState): string | undefined {
  const failure = progress.status === 'ended' ? failureOf(progress.outcome) : undefined;
  return failure === undefined ? undefined : signatureOf(failure.class, failure.message);
}
