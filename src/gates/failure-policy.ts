/**
 * Decides what follows a failed attempt, with one row for each class of failure.
 *
 * A row reads from left to right: retry at the same tier a number of times, then escalate to a stronger tier if that
 * may help, then ask a person. Only pauses for a quota and cancellations repeat without a limit.
 */
/** Why an attempt brought no result. */
export const failureClasses = [
  'agent-error',
  'unfinished',
  'contract-violation',
  'verification-failed',
  'steering',
  'conflict',
  'timeout',
  'limit',
  'quota',
  'environment',
  'authentication',
  'context-full',
  'refusal',
  'no-answer',
  'unclear',
  'cancelled',
  'lost',
] as const;
export type FailureClass = (typeof failureClasses)[number];

interface Policy {
  /** Retries at the same tier; the prompt includes the earlier failures. */
  readonly again: number;
  /** Whether a stronger agent may do better. */
  readonly escalates: boolean;
  /** The meaning of a person's approval when all retries have failed. */
  readonly approval: 'retry' | 'accept';
}

const policies: Readonly<Record<FailureClass, Policy>> = {
  'agent-error': { again: 0, escalates: true, approval: 'retry' },
  // The agent itself reports that work remains: it continues from there, and another agent would know less.
  unfinished: { again: 2, escalates: false, approval: 'retry' },
  // The return has been requested twice more already. Work is never repeated because of its form.
  'contract-violation': { again: 0, escalates: false, approval: 'accept' },
  // Goes back to the agent, with the evidence.
  'verification-failed': { again: 2, escalates: true, approval: 'retry' },
  // Verified, in scope, and changes what programs obey: merged only when a person has seen the diff.
  steering: { again: 0, escalates: false, approval: 'accept' },
  // Goes back to the same agent, based on the others' current work; a stronger one would meet the same conflict.
  conflict: { again: 2, escalates: false, approval: 'retry' },
  timeout: { again: 1, escalates: true, approval: 'retry' },
  // Turns, tokens or cost: a stronger agent would use more. A person grants another attempt with the same limits.
  limit: { again: 0, escalates: false, approval: 'retry' },
  // A pause, not a failure: waits until the quota is available again.
  quota: { again: Number.POSITIVE_INFINITY, escalates: false, approval: 'retry' },
  environment: { again: 0, escalates: false, approval: 'retry' },
  // No key or log-in, or one that the provider rejects. Only a person can set it.
  authentication: { again: 0, escalates: false, approval: 'retry' },
  // The task does not fit into the model's context. A dearer model of the same vendor has the same room.
  'context-full': { again: 0, escalates: false, approval: 'retry' },
  // The vendor's safety stop. Its other models have the same rules.
  refusal: { again: 0, escalates: false, approval: 'retry' },
  // Often transient, once; a second empty answer is a safety stop that was not named as one.
  'no-answer': { again: 1, escalates: false, approval: 'retry' },
  unclear: { again: 0, escalates: false, approval: 'retry' },
  cancelled: { again: Number.POSITIVE_INFINITY, escalates: false, approval: 'retry' },
  // Limited, because the attempt may be what takes down the orchestrator.
  lost: { again: 3, escalates: false, approval: 'retry' },
};

export type Remedy = 'again' | 'escalate' | 'ask';

/** `tries` counts the failures at this tier, including this one; `isStrongest`: no stronger tier exists. */
export function remedyFor(failure: FailureClass, tries: number, isStrongest: boolean): Remedy {
  const { again, escalates } = policies[failure];
  if (tries <= again) return 'again';
  return escalates && !isStrongest ? 'escalate' : 'ask';
}

export function approvalOf(failure: FailureClass): Policy['approval'] {
  return policies[failure].approval;
}

/**
 * The number of tasks of a wave failing in the same way that stops the wave: another attempt would not find their
 * common cause. A single task that fails repeatedly has its own policy, and does not stop the others.
 */
export const breakerLimit = 3;

/** Excludes failures that say nothing about the work itself, such as interruptions and conflicts. */
export function countsForBreaker(failure: FailureClass): boolean {
  return (
    failure !== 'quota' &&
    failure !== 'cancelled' &&
    failure !== 'lost' &&
    failure !== 'conflict' &&
    failure !== 'steering' &&
    failure !== 'unfinished'
  );
}

/** Failures that differ only in numbers, paths and the like share a signature. */
export function signatureOf(failure: FailureClass, message: string): string {
  const words = message
    .slice(0, 400)
    .toLowerCase()
    .replaceAll(/[\w.-]*\/[\w./-]*/g, '/')
    .replaceAll(/\b[0-9a-f]{7,}\b/g, '#')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ');
  return `${failure}: ${words.slice(0, 200)}`;
}

const minute = 60_000;

/** Milliseconds to wait if the end of a quota pause is unknown: doubles each time, up to half an hour. */
export function quotaGuess(times: number): number {
  return Math.min(2 ** Math.max(0, times - 1), 30) * minute;
}
