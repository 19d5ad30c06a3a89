/** In what two tasks differ. The same thing said in another way is no difference. */
import { minimalScope } from '../../delegation/scope-locks.ts';
import type { Dependency, PlanBudgets, PlanTask, Tier } from '../../plan/plan.ts';
import type { TaskField } from './plan-edit.ts';

/** The id that a task of the earlier plan has now. */
export type NewId = (id: string) => string;

/** What keeps an agent within bounds. */
interface Bounds {
  readonly accept: readonly string[];
  readonly scope: readonly string[];
  readonly forbidden?: readonly string[] | undefined;
  readonly review?: Tier | undefined;
}

/** Each in the one form that can be compared. */
const boundForms: Readonly<Record<keyof Bounds, (task: Bounds) => string>> = {
  scope: ({ scope }) => JSON.stringify(minimalScope(scope)),
  forbidden: ({ forbidden = [] }) => JSON.stringify(minimalScope(forbidden)),
  accept: ({ accept }) => JSON.stringify(accept),
  review: ({ review }) => review ?? '',
};

/** What a task says, each field in its form; dependencies by the ids they have now. */
const forms: Readonly<Record<TaskField, (task: PlanTask, newId: NewId) => string>> = {
  title: ({ title }) => title,
  description: ({ description }) => description,
  after: ({ after }, newId) => dependencies(after, newId),
  scope: boundForms.scope,
  forbidden: boundForms.forbidden,
  accept: boundForms.accept,
  tier: ({ tier }) => tier ?? 'standard',
  agent: ({ agent }) => agent ?? 'worker',
  review: boundForms.review,
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

/** Whether two tasks keep an agent within the same bounds. */
export function areBoundAlike(one: Bounds, other: Bounds): boolean {
  return Object.values(boundForms).every((form) => form(one) === form(other));
}

/** Whether a task keeps an agent within any bounds at all. */
export function isBound(task: Bounds): boolean {
  return !areBoundAlike(task, { accept: [], scope: [] });
}

/** Everything that a task says but what it waits for: equal where the texts are. */
export function contentOf(task: PlanTask): string {
  return JSON.stringify(fields.filter((field) => field !== 'after').map((field) => forms[field](task, same)));
}
