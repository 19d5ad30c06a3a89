/** What of a result the run remembers; the rest is in the report. */
import * as z from 'zod/mini';
import { statuses } from '../contracts/status.ts';
import { failureClasses } from '../gates/failure-policy.ts';
import { priorities } from '../gates/gate-steps.ts';

const count = z.int().check(z.nonnegative());
const text = z.string();

export const failureSchema = z.strictObject({
  class: z.enum(failureClasses),
  message: text,
  /** When a quota is there again, where the agent knows: milliseconds, wall clock. */
  until: z.optional(count),
});
export type Failure = z.infer<typeof failureSchema>;

/** As far as an agent's client says; what it does not say is unknown, not nothing. */
export const usageSchema = z.strictObject({
  tokens: z.optional(count),
  cost: z.optional(z.number().check(z.nonnegative())),
});
export type Usage = z.infer<typeof usageSchema>;

/** What a review says. The action is an agent's words. */
export const verdictSchema = z.strictObject({ priority: z.enum(priorities), action: text });
export type Verdict = z.infer<typeof verdictSchema>;

export const outcomeSchema = z.strictObject({
  status: z.enum(statuses),
  summary: text,
  files: z.array(text),
  /** Where the full account is, relative to the project; absent when nothing was kept. */
  report: z.optional(text),
  repairs: count,
  degraded: z.array(text),
  failure: z.optional(failureSchema),
  verdict: z.optional(verdictSchema),
  usage: z.optional(usageSchema),
  /** What the files held when the attempt ended, by path: so that work can be looked at again before it is trusted. */
  prints: z.optional(z.record(text, text)),
});
export type Outcome = z.infer<typeof outcomeSchema>;
