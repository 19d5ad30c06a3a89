/**
 * Deadline: the seconds a delegation may take, by class. Each class has a default, and a maximum that no setting
 * exceeds.
 */
import { divisiError } from '../base/error.ts';

export const delegationClasses = [
  'research',
  'planning',
  'revising',
  'implementing',
  'fixing',
  'reviewing',
  'simple',
  'other',
] as const;
export type DelegationClass = (typeof delegationClasses)[number];

/** In seconds. */
export const deadlines: Readonly<Record<DelegationClass, { readonly default: number; readonly most: number }>> = {
  research: { default: 3600, most: 7200 },
  planning: { default: 1800, most: 3600 },
  revising: { default: 1800, most: 3600 },
  implementing: { default: 7200, most: 14_400 },
  fixing: { default: 7200, most: 14_400 },
  reviewing: { default: 1800, most: 3600 },
  simple: { default: 300, most: 900 },
  other: { default: 3600, most: 7200 },
};

const classes: Readonly<Record<string, DelegationClass>> = {
  worker: 'implementing',
  implementer: 'implementing',
  'task-executor': 'implementing',
  'lean-implementation-agent': 'implementing',
  'tdd-task-executor': 'implementing',
  fixer: 'fixing',
  'code-simplifier': 'fixing',
  researcher: 'research',
  'lean-research-agent': 'research',
  architect: 'planning',
  planner: 'planning',
  // It writes a document at the place of its task, which the class `reviewing` does not allow.
  reviewer: 'planning',
  'todo-doc-generator': 'planning',
  reviser: 'revising',
  'wave-reviewer': 'reviewing',
  'task-reviewer': 'reviewing',
  auditor: 'reviewing',
  'code-reviewer': 'reviewing',
  'review-pr': 'reviewing',
  'silent-failure-hunter': 'reviewing',
  'type-design-analyzer': 'reviewing',
};

/** Ignores a plugin's prefix. */
export function classOf(agent: string): DelegationClass {
  const plain = agent.slice(agent.lastIndexOf(':') + 1);
  return Object.hasOwn(classes, plain) ? (classes[plain] ?? 'other') : 'other';
}

/** The requested seconds, or the default; more than the maximum is refused, not cut. */
export function secondsFor(kind: DelegationClass, asked?: number): number {
  const { default: usual, most } = deadlines[kind];
  if (asked === undefined) return usual;
  if (Number.isInteger(asked) && asked > 0 && asked <= most) return asked;
  throw divisiError('DELEGATION_REFUSED', {
    message: `a deadline of ${asked} seconds is not allowed for ${kind}`,
    expected: `whole seconds from 1 to ${most}`,
    got: String(asked),
    next: 'Lower the deadline in the plan or the config, or leave it out.',
    ids: { class: kind },
  });
}
