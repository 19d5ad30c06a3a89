/** Agent: a role with instructions, a contract and settings for running it. */

/** The same tiers as in a plan. */
export const agentTiers = ['fast', 'standard', 'deep'] as const;

export interface Agent {
  readonly name: string;
  readonly contract: string;
  readonly instructions: string;
  readonly description?: string;
  /** The only tools it may use, by its client's names; absent without a limit. */
  readonly tools?: readonly string[];
  /** Default for tasks without a tier in the plan. */
  readonly tier?: (typeof agentTiers)[number];
  /** The driver of the config that runs it, overriding the plan's. */
  readonly driver?: string;
  /** Relative to the project; absent for built-in agents. */
  readonly file?: string;
  /** The agent it replaces: `built-in`, or a file. */
  readonly replaces?: string;
}

/** An agent as a file describes it. Missing settings may come from the agent it replaces. */
export type OwnAgent = Omit<Agent, 'contract' | 'replaces'> & { readonly contract?: string; readonly file: string };
