/** How much a run or a task may take: `60 minutes, 40 delegations, 2000000 tokens, $5`. */
import { bare, parts } from '../markdown/inline.ts';
import type { PlanBudgets } from '../plan.ts';

/** The budgets, or what is expected where the text says none. */
export type BudgetReading = { readonly budgets: PlanBudgets } | { readonly expected: string };

export function readBudget(key: keyof PlanBudgets, text: string): BudgetReading {
  const amount = /^[$€£]? ?(\d{1,12}(?:\.\d{1,6})?)(?: ?(?:usd|eur|min|minutes))?$/i.exec(
    bare(text).replaceAll(/[_,](?=\d{3})/g, ''),
  );
  const number = Number(amount?.[1]);
  const isWhole = key === 'delegations' || key === 'tokens';
  if (!(number > 0) || (isWhole && !Number.isInteger(number)))
    return { expected: `a ${isWhole ? 'whole ' : ''}number above 0` };
  return { budgets: { [key]: number } };
}

export function readBudgets(text: string): BudgetReading {
  let budgets: PlanBudgets = {};
  for (const part of parts(text, ',')) {
    const found = /^(?:(\S+) ?(minutes|delegations|tokens)|cost:? (\S+)|([$€£]\S+))$/i.exec(part);
    if (!found) return { expected: 'amounts such as 60 minutes, 40 delegations, 2000000 tokens, $5' };
    const key = (found[2]?.toLowerCase() ?? 'cost') as keyof PlanBudgets;
    const reading = readBudget(key, found[1] ?? found[3] ?? found[4] ?? '');
    if ('expected' in reading) return reading;
    budgets = { ...budgets, ...reading.budgets };
  }
  return { budgets };
}
