/** Compares two tasks field by field. Different spellings of the same value are equal. */
import { minimalScope } from '../../delegation/scope-locks.ts';
import type { Dependency, PlanBudgets, PlanTask, Tier } from '../../plan/plan.ts';
import type { TaskField } from './plan-edit.ts';

/** Maps a task id of the earlier plan to its current one. */
export type NewId = (id: string) => string;

/** The limits on an agent's work. */
interface Limits {
  readonly accept: readonly string[];
  readonly scope: readonly string[];
  readonly forbidden?: readonly string[] | undefined;
  readonly review?: Tier | undefined;
}

/** The canonical form of each, for comparison. */
const limitForms: Readonly<Record<keyof Limits, (task: Limits) => string>> = {
  scope: ({ scope }) => JSON.stringify(minimalScope(scope)),
  forbidden: ({ forbidden = [] }) => JSON.stringify(minimalScope(forbidden)),
  accept: ({ accept }) => JSON.stringify(accept),
  review: ({ review }) => review ?? '',
};

/** The canonical form of each field; dependencies use the current ids. */
const forms: Readonly<Record<TaskField, (task: PlanTask, newId: NewId) => string>> = {
  title: ({ title }) => title,
  description: ({ description }) => description,
  after: ({ after }, newId) => dependencies(after, newId),
  scope: limitForms.scope,
  forbidden: limitForms.forbidden,
  accept: limitForms.accept,
  tier: ({ tier }) => tier ?? 'standard',
  agent: ({ agent }) => agent ?? 'worker',
  review: limitForms.review,
  budgets: ({ budgets }) => amounts(budgets ?? {}),
};
const fields = Object.keys(forms) as TaskField[];

const same: NewId = (id) => id;

function dependencies(after: readonly Dependency[], newId: NewId): string {
  const names = after.map((one) => ('task' in one ? `task ${newId(one.task)}` : `wave ${one.wave}`));
  return [...new Set(names)].toSorted().join('\n');
}

export function amounts({ minutes, delegations, tokens, cost }: PlanBudgets): string {
  return JSON.stringify([minutes, delegations, tokens, cost]);
}

export function differences(base: PlanTask, now: PlanTask, newId: NewId): TaskField[] {
  return fields.filter((field) => forms[field](base, newId) !== forms[field](now, same));
}

export function haveSameLimits(one: Limits, other: Limits): boolean {
  return Object.values(limitForms).every((form) => form(one) === form(other));
}

export function isLimited(task: Limits): boolean {
  return !haveSameLimits(task, { accept: [], scope: [] });
}

/** The canonical text of a task, without its dependencies. */
export function contentOf(task: PlanTask): string {
  return JSON.stringify(fields.filter((field) => field !== 'after').map((field) => forms[field](task, same)));
}
