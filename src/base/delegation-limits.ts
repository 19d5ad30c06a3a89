/** Delegation limits: how much one delegation may use besides time. An absent number means no limit. */

export interface DelegationLimits {
  /** Answers of the model, as clients count turns. */
  readonly turns?: number;
  readonly tokens?: number;
  /** In the currency of the client's account; clients count in dollars. */
  readonly cost?: number;
}

export type LimitName = keyof DelegationLimits;

export const limitNames = ['turns', 'tokens', 'cost'] as const satisfies readonly LimitName[];

/** By tier, without any config. */
export const usualLimits = {
  fast: { turns: 60, tokens: 2_000_000, cost: 3 },
  standard: { turns: 200, tokens: 8_000_000, cost: 10 },
  deep: { turns: 400, tokens: 20_000_000, cost: 30 },
} as const;

/** An agent that submits more results that break its contract is stopped: it would continue forever. */
export const mostInvalidResults = 10;

export function limitReached(name: LimitName, limit: number): string {
  const amount = { turns: `${limit} turns`, tokens: `${limit} tokens`, cost: `$${limit}` }[name];
  return `stopped at its limit of ${amount}; the files it left are kept`;
}

export const tooManyInvalid = `stopped after ${mostInvalidResults} invalid results; the files it left are kept`;
