/** Usage text: claims no more than is known. Partial numbers are `at least`, missing ones `unknown`. */
import { flatten } from '../../base/text.ts';
import type { Usage } from '../../core/event/outcome.ts';
import type { Spent } from '../../core/state/spent.ts';

/** `120 tokens`, `at least 120 of 2000 tokens`, `tokens unknown (budget 2000)`. */
export function tokensSpent({ tokens, lacking }: Spent, budget?: number): string {
  const isWhole = (lacking?.tokens ?? 0) === 0;
  if (tokens === 0 && !isWhole) return `tokens unknown${budgetText(budget)}`;
  return `${least(isWhole)}${tokens}${budget === undefined ? '' : ` of ${budget}`} tokens`;
}

export function costSpent({ cost, lacking }: Spent, budget?: number): string {
  const isWhole = (lacking?.cost ?? 0) === 0;
  if (cost === 0 && !isWhole) return `cost unknown${budgetText(budget)}`;
  return `cost ${least(isWhole)}${cost.toFixed(2)}${budget === undefined ? '' : ` of ${budget}`}`;
}

/** Usage of one delegation, with the source of the numbers. */
export function usageText({ tokens, cost, source, isPartial }: Usage): string {
  const isWhole = isPartial !== true;
  const parts = [
    tokens === undefined ? 'tokens unknown' : `${least(isWhole)}${tokens} tokens`,
    cost === undefined ? 'cost unknown' : `cost ${least(isWhole)}${cost.toFixed(2)}`,
  ];
  return `${parts.join(', ')}${source === undefined ? '' : ` (${flatten(source)})`}`;
}

function least(isWhole: boolean): string {
  return isWhole ? '' : 'at least ';
}

function budgetText(budget: number | undefined): string {
  return budget === undefined ? '' : ` (budget ${budget})`;
}
