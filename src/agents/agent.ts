/** A role: what an agent is told to be, by which contract it returns, and how it is to be run. */

/** The words for strength that a plan has too. */
export const agentTiers = ['fast', 'standard', 'deep'] as const;

export interface Agent {
  readonly name: string;
  readonly contract: string;
  readonly instructions: string;
  readonly description?: string;
  /** The only tools it may use, by its client's names for them; absent where nobody has limited them. */
  readonly tools?: readonly string[];
  /** For tasks whose plan names none. */
  readonly tier?: (typeof agentTiers)[number];
  /** The driver of the config that runs it, whatever the plan's is. */
  readonly driver?: string;
  /** Where it is described, relative to the project; absent for the agents Divisi brings along. */
  readonly file?: string;
  /** In whose place it stands: `built-in`, or a file. */
  readonly replaces?: string;
}

/** What a file says of an agent. What it leaves out may come from the agent that it replaces. */
export type OwnAgent = Omit<Agent, 'contract' | 'replaces'> & { readonly contract?: string; readonly file: string };
