/** Counts what has been spent, as far as it is known, and what remains of a budget. */
import type { Usage } from '../event/outcome.ts';
import type { BudgetKey, Budgets } from '../event/planned-task.ts';

export interface Spent {
  delegations: number;
  milliseconds: number;
  tokens: number;
  cost: number;
  /** Delegations that reported no usage. */
  silent: number;
  /** Delegations with incomplete usage, by missing number; absent if there are none. */
  lacking?: { tokens: number; cost: number };
}

export function newSpent(): Spent {
  return { delegations: 0, milliseconds: 0, tokens: 0, cost: 0, silent: 0 };
}

export function spendUsage(spent: Spent, usage: Usage | undefined): void {
  spent.tokens += usage?.tokens ?? 0;
  spent.cost += usage?.cost ?? 0;
  if (usage?.tokens === undefined && usage?.cost === undefined) spent.silent += 1;
  const lacks = (amount: number | undefined): number => (amount === undefined || usage?.isPartial === true ? 1 : 0);
  const [tokens, cost] = [lacks(usage?.tokens), lacks(usage?.cost)];
  if (tokens + cost === 0) return;
  spent.lacking = { tokens: (spent.lacking?.tokens ?? 0) + tokens, cost: (spent.lacking?.cost ?? 0) + cost };
}

const minute = 60_000;

const amounts: Readonly<Record<BudgetKey, (spent: Spent) => number>> = {
  minutes: ({ milliseconds }) => milliseconds / minute,
  delegations: ({ delegations }) => delegations,
  tokens: ({ tokens }) => tokens,
  cost: ({ cost }) => cost,
};

/** The first exhausted budget. `granted` counts the extensions of each. */
export function exhaustedBudget(
  budgets: Budgets,
  spent: Spent,
  granted?: Readonly<Record<BudgetKey, number>>,
): BudgetKey | undefined {
  for (const [key, amount] of Object.entries(amounts) as [BudgetKey, (spent: Spent) => number][]) {
    const budget = budgets[key];
    if (budget !== undefined && amount(spent) >= budget * (1 + (granted?.[key] ?? 0))) return key;
  }
  return undefined;
}

/** The number of extensions after another approval: enough to leave something to spend. */
export function grantsAfterApproval(budgets: Budgets, spent: Spent, granted: number, key: BudgetKey): number {
  const times = Math.floor(amounts[key](spent) / (budgets[key] ?? Infinity));
  return Math.max(granted + 1, times);
}

/** Milliseconds of work left in a budget of minutes; undefined without one. */
export function timeLeft({ minutes }: Budgets, spent: Spent, granted = 0): number | undefined {
  return minutes === undefined ? undefined : Math.max(0, minutes * (1 + granted) * minute - spent.milliseconds);
}
