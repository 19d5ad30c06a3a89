/**
 * A contract: what an agent must return, in which wire format, what relates the fields, and what follows from them.
 * Plain data; own contracts are read into the same shape (`own-contract.ts`).
 */
import type { WireFormat } from './wire/raw.ts';
import type { Condition } from './condition.ts';
import type { Fields } from './field.ts';
import type { Status } from './status.ts';

/**
 * What the orchestrator does with a valid result:
 * record – keep what came back, nothing else follows · continue – give the same work back · review – have it reviewed ·
 * fix – send the findings to a fixer now · defer – note the findings for later · proceed – go on with what is next ·
 * commit – create the commit · halt – a person decides.
 */
export const actions = ['record', 'continue', 'review', 'fix', 'defer', 'proceed', 'commit', 'halt'] as const;
export type Action = (typeof actions)[number];

export interface Rule {
  /** The rule applies where this holds; without it, always. */
  readonly when?: Condition;
  readonly then: Condition;
  /** What must be the case, as a sentence for the agent that broke it. */
  readonly because: string;
}

export interface Contract<F extends Fields = Fields> {
  readonly name: string;
  /** Raised whenever the meaning of a return changes; part of what makes work the same work. */
  readonly version: number;
  readonly purpose: string;
  readonly wireFormat: WireFormat;
  readonly fields: F;
  /** The parts of a line return, in order: fields, and `role` for the word that says whose line it is. */
  readonly line?: readonly string[];
  readonly role?: string;
  /** Used unless a field is the status: the first that holds gives the status, none means completed. */
  readonly statusWhen?: readonly { readonly when: Condition; readonly status: Status }[];
  /** Used unless a field is the summary: text with `{field}` in it. */
  readonly summary?: string;
  readonly rules: readonly Rule[];
  /** The first that holds decides; none means `record`. */
  readonly actions: readonly { readonly when: Condition; readonly action: Action }[];
  /** Values by field name, valid under this contract; shown to the agent. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Keeps the literal types of the fields, so that results are typed. */
export function defineContract<const F extends Fields>(contract: Contract<F>): Contract<F> {
  return contract;
}
