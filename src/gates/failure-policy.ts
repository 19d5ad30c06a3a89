/**
 * Failure, sorted once: what follows from each way in which an attempt can fail stands in one table, and nowhere else.
 *
 * A policy is read from left to right: try again at the same tier so many times, then at a stronger one if that may help,
 * then ask a person. Nothing is tried for ever.
 */
/** Why an attempt did not bring a result. */
export const failureClasses = [
  'agent-error',
  'unfinished',
  'contract-violation',
  'verification-failed',
  'conflict',
  'timeout',
  'quota',
  'environment',
  'unclear',
  'cancelled',
  'lost',
] as const;
export type FailureClass = (typeof failureClasses)[number];

interface Policy {
  /** How often at the same tier; what failed before is in the new prompt. */
  readonly again: number;
  /** Whether a stronger agent may do better. */
  readonly escalates: boolean;
  /** What a person's yes means when all of this was in vain. */
  readonly approval: 'retry' | 'accept';
}

const policies: Readonly<Record<FailureClass, Policy>> = {
  'agent-error': { again: 0, escalates: true, approval: 'retry' },
  // Its agent says itself that there is more to do: it goes on with what is there, and nobody else would know better.
  unfinished: { again: 2, escalates: false, approval: 'retry' },
  // Its return has been asked for twice more by now. The work itself is never done again because of its form.
  'contract-violation': { again: 0, escalates: false, approval: 'accept' },
  // Back to the agent, with the evidence.
  'verification-failed': { again: 2, escalates: true, approval: 'retry' },
  // Back to the same agent from where the others are by now; a stronger one would meet the same.
  conflict: { again: 2, escalates: false, approval: 'retry' },
  timeout: { again: 1, escalates: true, approval: 'retry' },
  // A pause, not a failure: the time it lasts is waited for.
  quota: { again: Number.POSITIVE_INFINITY, escalates: false, approval: 'retry' },
  environment: { again: 0, escalates: false, approval: 'retry' },
  unclear: { again: 0, escalates: false, approval: 'retry' },
  cancelled: { again: Number.POSITIVE_INFINITY, escalates: false, approval: 'retry' },
  // What takes the orchestrator down with it each time is not tried for ever.
  lost: { again: 3, escalates: false, approval: 'retry' },
};

export type Remedy = 'again' | 'escalate' | 'ask';

/** `tries` counts the failures at this tier, this one included; `isStrongest`: there is no stronger one. */
export function remedyFor(failure: FailureClass, tries: number, isStrongest: boolean): Remedy {
  const { again, escalates } = policies[failure];
  if (tries <= again) return 'again';
  return escalates && !isStrongest ? 'escalate' : 'ask';
}

export function approvalOf(failure: FailureClass): Policy['approval'] {
  return policies[failure].approval;
}

/**
 * So many tasks of a wave that failed in the same way stop the wave: what they have in common is not for one more agent to find
 * out. A single task that fails again and again has its own policy, and stops nobody else.
 */
export const breakerLimit = 3;

/** Whether it says something about the work as such, rather than about who interrupted it or came first. */
export function countsForBreaker(failure: FailureClass): boolean {
  return (
    failure !== 'quota' &&
    failure !== 'cancelled' &&
    failure !== 'lost' &&
    failure !== 'conflict' &&
    failure !== 'unfinished'
  );
}

/** Two failures are equal when they differ only in numbers, paths and the like. */
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

/** Milliseconds to wait where nobody says when a quota is there again: longer each time, half an hour at most. */
export function quotaGuess(times: number): number {
  return Math.min(2 ** Math.max(0, times - 1), 30) * minute;
}
