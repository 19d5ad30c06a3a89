/** In what two tasks differ. The same thing said in another way is no difference. */
import { minimalScope } from '../delegation/scope-locks.ts';
import type { Dependency, PlanBudgets, PlanTask } from '../plan/plan.ts';
import type { TaskField } from './plan-edit.ts';

/** The id that a task of the earlier plan has now. */
export type NewId = (id: string) => string;

/** What a task says, each field in the one form that can be compared; dependencies by the ids they have now. */
const forms: Readonly<Record<TaskField, (task: PlanTask, newId: NewId) => string>> = {
  title: ({ title }) => title,
  description: ({ description }) => description,
  after: ({ after }, newId) => dependencies(after, newId),
  scope: ({ scope }) => JSON.stringify(minimalScope(scope)),
  forbidden: ({ forbidden = [] }) => JSON.stringify(minimalScope(forbidden)),
  accept: ({ accept }) => JSON.stringify(accept),
  tier: ({ tier }) => tier ?? 'standard',
  agent: ({ agent }) => agent ?? 'worker',
  review: ({ review }) => review ?? '',
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

/** Everything that a task says but what it waits for: equal where the texts are. */
export function contentOf(task: PlanTask): string {
  return JSON.stringify(fields.filter((field) => field !== 'after').map((field) => forms[field](task, same)));
}
