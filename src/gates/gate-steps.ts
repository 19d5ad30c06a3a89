/** Verdicts → what runs next. The same table for every gate; nobody but a person gets past HIGH. */

export const priorities = ['HIGH', 'MED', 'LOW'] as const;
export type Priority = (typeof priorities)[number];

/** What is reviewed: a wave, a single task, the whole run at its end, or what was there when a run was resumed. */
export const gateKinds = ['wave', 'task', 'final', 'audit'] as const;
export type GateKind = (typeof gateKinds)[number];

/** `defer`: noted in the plan, given to a fixer later, and on. */
export type GateStep = 'review' | 'fix' | 'defer' | 'ask' | 'pass';

/** Reviews of the same work, fixes in between; then a person has to look. */
export const mostRounds = 3;

/** `round` is the number of the review that gave the verdict, from 1. */
export function afterVerdict(kind: GateKind, priority: Priority, round: number): GateStep {
  const isLast = round >= mostRounds;
  switch (priority) {
    case 'LOW':
      return 'pass';
    case 'MED':
      // Nothing comes after the last review that could take care of it.
      if (kind === 'final') return isLast ? 'defer' : 'fix';
      return kind === 'audit' ? 'fix' : 'defer';
    case 'HIGH':
      return isLast || kind === 'audit' ? 'ask' : 'fix';
    default:
      return priority satisfies never;
  }
}

/** What an audit calls trivial is mended and left at that; everything else is looked at again. */
export function afterFix(kind: GateKind): GateStep {
  return kind === 'audit' ? 'pass' : 'review';
}
