/** What of a result the run remembers; the rest is in the report. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { actions } from '../../contracts/contract.ts';
import { artifactTypes, fileActions } from '../../contracts/result.ts';
import { statuses } from '../../contracts/status.ts';
import { failureClasses } from '../../gates/failure-policy.ts';
import { priorities } from '../../gates/gate-steps.ts';
import { workFindingSchema } from './verification.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const text = lazy(() => z.string());

export const failureSchema = lazy(() =>
  z.strictObject({
    class: z.enum(failureClasses),
    message: text(),
    /** When a quota is there again, where the agent knows: milliseconds, wall clock. */
    until: z.optional(count()),
  }),
);
export type Failure = z.infer<ReturnType<typeof failureSchema>>;

/** As far as an agent's client says; what it does not say is unknown, not nothing. */
export const usageSchema = lazy(() =>
  z.strictObject({
    tokens: z.optional(count()),
    cost: z.optional(z.number().check(z.nonnegative())),
    /** Where the numbers are from, in the client's words. */
    source: z.optional(text()),
    /** The numbers are true but not the whole. */
    isPartial: z.optional(z.literal(true)),
  }),
);
export type Usage = z.infer<ReturnType<typeof usageSchema>>;

/** What a review says. The action is an agent's words. */
export const verdictSchema = lazy(() => z.strictObject({ priority: z.enum(priorities), action: text() }));
export type Verdict = z.infer<ReturnType<typeof verdictSchema>>;

/** What an agent says that it did, to be held against the facts. Its own words, cut. */
export const claimsSchema = lazy(() =>
  z.strictObject({
    /** Whether its contract asks for files at all, and whether it lets the agent say what was done to each. */
    files: z.enum(['none', 'changed', 'with-actions']),
    touched: z.array(z.strictObject({ path: text(), action: z.enum(fileActions) })),
    artifacts: z.array(text()),
    evidence: z.array(text()),
    /** What is to be said of the return as such. */
    findings: z.array(workFindingSchema()),
  }),
);
export type Claims = z.infer<ReturnType<typeof claimsSchema>>;

/** What follows from a return that says more than a status, by its contract. The words are an agent's, redacted and cut. */
export const toldSchema = lazy(() =>
  z.strictObject({
    action: z.enum(actions),
    /** What it found, or what stands in its way. */
    notes: z.array(text()),
    artifacts: z.array(z.strictObject({ type: z.enum(artifactTypes), path: text() })),
    nextSteps: z.optional(text()),
    /** What its contract has beyond that, where it is plain and short. */
    fields: z.record(z.string(), z.union([text(), z.number(), z.boolean(), z.array(text())])),
  }),
);
export type Told = z.infer<ReturnType<typeof toldSchema>>;

export const outcomeSchema = lazy(() =>
  z.strictObject({
    status: z.enum(statuses),
    summary: text(),
    files: z.array(text()),
    /** Where the full account is, relative to the project; absent when nothing was kept. */
    report: z.optional(text()),
    repairs: count(),
    degraded: z.array(text()),
    failure: z.optional(failureSchema()),
    verdict: z.optional(verdictSchema()),
    claims: z.optional(claimsSchema()),
    told: z.optional(toldSchema()),
    /** The document that it was to write, where the run goes by it: redacted, and cut. */
    document: z.optional(text()),
    usage: z.optional(usageSchema()),
    /** What the files held when the attempt ended, by path: so that work can be looked at again before it is trusted. */
    prints: z.optional(z.record(text(), text())),
  }),
);
export type Outcome = z.infer<ReturnType<typeof outcomeSchema>>;
