/** Budgets: see `invariants.ts`. Counts what was spent independently of the core. */
import type { RunEvent } from '../../src/core/event/event.ts';
import type { Outcome } from '../../src/core/event/outcome.ts';
import type { BudgetKey, Budgets } from '../../src/core/event/planned-task.ts';
import { type Check, type Rule, ruleOf } from './rule.ts';
import { type Model, taskOf } from './model.ts';

type Amounts = Record<BudgetKey, number>;
const keys: readonly BudgetKey[] = ['minutes', 'delegations', 'tokens', 'cost'];
const nothing = (): Amounts => ({ minutes: 0, delegations: 0, tokens: 0, cost: 0 });

function use(amounts: Amounts, { usage }: Outcome): void {
  amounts.tokens += usage?.tokens ?? 0;
  amounts.cost += usage?.cost ?? 0;
}

/** Time in which no one worked, or no one knows who did, does not count. */
function minutesBetween(last: number, event: RunEvent, { active }: Model): number {
  if (active.size === 0 || event.kind === 'run.started') return 0;
  const isFound = event.kind === 'delegation.ended' && event.outcome.degraded.includes('recovered');
  if (isFound || (event.kind === 'delegation.ended' && event.end === 'lost')) return 0;
  return Math.max(0, event.at - last) / 60_000;
}

export function budgetRules(): Rule {
  const spent = nothing();
  const limits: Budgets = {};
  const ofTasks = new Map<string, Amounts>();
  const begun = new Map<string, number>();
  let last = 0;
  const rule = ruleOf({
    'run.created'(event) {
      Object.assign(limits, event.settings.budgets);
    },
    'delegation.registered'(event, _model, check) {
      begun.set(event.delegation, event.at);
      for (const key of keys) checkLeft(spent, limits, key, event.task, check);
      spent.delegations += 1;
    },
    'delegation.ended'(event) {
      const own = ofTasks.get(event.task) ?? nothing();
      own.delegations += 1;
      own.minutes += Math.max(0, event.at - (begun.get(event.delegation) ?? 0)) / 60_000;
      use(own, event.outcome);
      use(spent, event.outcome);
      ofTasks.set(event.task, own);
    },
    'task.retried'(event, model, check) {
      if (event.why === 'approved') ofTasks.delete(event.task);
      if (event.why === 'approved' || event.why === 'waited') return;
      const own = ofTasks.get(event.task) ?? nothing();
      for (const key of keys) checkLeft(own, taskOf(model, event.task).planned.budgets ?? {}, key, event.task, check);
    },
    'checkpoint.answered'(event, model) {
      const opened = model.checkpoints.get(event.checkpoint);
      if (opened?.type !== 'budget' || opened.task !== undefined || !event.approved) return;
      grant(limits, model.settings.budgets, spent, opened.budget);
    },
    'work.reopened'(event) {
      for (const id of event.tasks) ofTasks.delete(id);
    },
    'run.started'(_event, model) {
      if (model.ended !== undefined) ofTasks.clear();
    },
  });
  return (event, model, check) => {
    if (!model.settings.gated) return;
    spent.minutes += minutesBetween(last, event, model);
    last = event.at;
    rule(event, model, check);
  };
}

/** Fractions are not the same number in every order of adding. */
const rounding = 1e-9;

/** As much as there was at the beginning, so often that something is left. */
function grant(limits: Budgets, budgets: Budgets, spent: Amounts, key: BudgetKey): void {
  const once = budgets[key] ?? Infinity;
  let limit = (limits[key] ?? 0) + once;
  while (limit <= spent[key] + rounding) limit += once;
  limits[key] = limit;
}

function checkLeft(spent: Amounts, limits: Budgets, key: BudgetKey, task: string, check: Check): void {
  const limit = limits[key] ?? Infinity;
  const isLeft = key === 'delegations' ? spent[key] < limit : spent[key] < limit + rounding;
  check(isLeft, `${task} goes on although ${spent[key]} of ${limit} ${key} are used`);
}
