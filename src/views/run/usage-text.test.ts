import { describe, expect, it } from 'vitest';
import type { Usage } from '../../core/event/outcome.ts';
import { newSpent, spendUsage } from '../../core/state/spent.ts';
import { costSpent, tokensSpent, usageText } from './usage-text.ts';

type Case = [used: readonly (Usage | undefined)[], tokens: string, cost: string];

describe('what a run has spent', () => {
  it.each<Case>([
    [[], '0 of 100 tokens', 'cost 0.00 of 5'],
    [[{ tokens: 7, cost: 0.5 }], '7 of 100 tokens', 'cost 0.50 of 5'],
    [[undefined], 'tokens unknown (budget 100)', 'cost unknown (budget 5)'],
    [[{ tokens: 7 }, { tokens: 3 }], '10 of 100 tokens', 'cost unknown (budget 5)'],
    [[{ tokens: 7 }, { cost: 1 }], 'at least 7 of 100 tokens', 'cost at least 1.00 of 5'],
    [[{ tokens: 7, cost: 1 }, undefined], 'at least 7 of 100 tokens', 'cost at least 1.00 of 5'],
    [[{ tokens: 7, cost: 1, isPartial: true }], 'at least 7 of 100 tokens', 'cost at least 1.00 of 5'],
    [[{ tokens: 0, cost: 0 }], '0 of 100 tokens', 'cost 0.00 of 5'],
  ])('%j', (used, tokens, cost) => {
    const spent = newSpent();
    for (const usage of used) spendUsage(spent, usage);
    expect([tokensSpent(spent, 100), costSpent(spent, 5)]).toEqual([tokens, cost]);
    expect(tokensSpent(spent)).toBe(tokens.replace(/ of 100| \(budget 100\)/, ''));
    expect(costSpent(spent)).toBe(cost.replace(/ of 5| \(budget 5\)/, ''));
  });
});

describe('what a delegation has used', () => {
  it.each<[Usage, string]>([
    [{ tokens: 7, cost: 0.5 }, '7 tokens, cost 0.50'],
    [{ tokens: 7, source: 'its result\nevent' }, '7 tokens, cost unknown (its result event)'],
    [{ cost: 0.5, isPartial: true }, 'tokens unknown, cost at least 0.50'],
  ])('%j', (usage, text) => {
    expect(usageText(usage)).toBe(text);
  });
});
