/**
 * Contract: defines what an agent must return, its wire format, its rules and the action that follows. Plain data;
 * a project's own contracts have the same shape (`own-contract.ts`).
 */
import type { WireFormat } from './wire/raw.ts';
import type { Condition } from './condition.ts';
import type { Fields } from './field.ts';
import type { Status } from './status.ts';

/**
 * The orchestrator's response to a valid result:
 * record – keep the result, do nothing else · continue – give the same work back · review – start a review ·
 * fix – send the findings to a fixer now · defer – note the findings for later · proceed – continue with the next step ·
 * commit – create the commit · halt – ask a person.
 */
export const actions = ['record', 'continue', 'review', 'fix', 'defer', 'proceed', 'commit', 'halt'] as const;
export type Action = (typeof actions)[number];

export interface Rule {
  /** Absent for a rule that always applies. */
  readonly when?: Condition;
  readonly then: Condition;
  /** The requirement, as a sentence for the agent that broke it. */
  readonly because: string;
}

export interface Contract<F extends Fields = Fields> {
  readonly name: string;
  /** Increases when the meaning of a return changes; part of the work key. */
  readonly version: number;
  readonly purpose: string;
  readonly wireFormat: WireFormat;
  readonly fields: F;
  /** The parts of a line return, in order: field names, and `role` for the word that identifies the sender. */
  readonly line?: readonly string[];
  readonly role?: string;
  /** Used unless a field is the status: the first that holds gives the status, otherwise completed. */
  readonly statusWhen?: readonly { readonly when: Condition; readonly status: Status }[];
  /** Used when the return has no field for the summary: a template with `{field}` placeholders. */
  readonly summary?: string;
  readonly rules: readonly Rule[];
  /** The first that holds decides, otherwise `record`. */
  readonly actions: readonly { readonly when: Condition; readonly action: Action }[];
  /** Values by field name, valid under this contract; shown to the agent. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Keeps the literal types of the fields: results are typed by them. */
export function defineContract<const F extends Fields>(contract: Contract<F>): Contract<F> {
  return contract;
}
