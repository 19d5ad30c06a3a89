/** Decides what follows a review's verdict or a contract's action, by one table for every gate. Only a person can pass HIGH. */
import type { Action } from '../contracts/contract.ts';

export const priorities = ['HIGH', 'MED', 'LOW'] as const;
export type Priority = (typeof priorities)[number];

/** HALT: a person decides at once, before any fix. */
export type Judgement = Priority | 'HALT';

/** The judgement in an action of a contract. `review`: another agent judges. Null: none; reading gives `continue` back to its agent. */
export const judgements: Readonly<Record<Action, Judgement | 'review' | null>> = {
  record: null,
  continue: null,
  proceed: 'LOW',
  commit: 'LOW',
  review: 'review',
  defer: 'MED',
  fix: 'HIGH',
  halt: 'HALT',
};

/**
 * The subject of the review: a wave, a single task, the whole run at its end, or earlier work when a run is resumed.
 */
export const gateKinds = ['wave', 'task', 'final', 'audit'] as const;
export type GateKind = (typeof gateKinds)[number];

/** `defer`: noted in the plan and given to a fixer later; the run continues. */
export type GateStep = 'review' | 'fix' | 'defer' | 'ask' | 'pass';

/** Reviews of the same work, with fixes in between; after the last, a person is asked. */
export const mostRounds = 3;

/** `round` is the number of the review that gave the verdict, from 1. */
export function afterVerdict(kind: GateKind, priority: Judgement, round: number): GateStep {
  const isLast = round >= mostRounds;
  switch (priority) {
    case 'LOW':
      return 'pass';
    case 'MED':
      // No later review could take care of it.
      if (kind === 'final') return isLast ? 'defer' : 'fix';
      return kind === 'audit' ? 'fix' : 'defer';
    case 'HIGH':
      return isLast || kind === 'audit' ? 'ask' : 'fix';
    case 'HALT':
      return 'ask';
    default:
      return priority satisfies never;
  }
}

/** A fix after an audit is trivial and not reviewed; every other fix is. */
export function afterFix(kind: GateKind): GateStep {
  return kind === 'audit' ? 'pass' : 'review';
}
