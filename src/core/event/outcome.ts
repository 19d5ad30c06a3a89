/** Outcome: the part of a result that the run remembers; the rest is in the report. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { actions } from '../../contracts/contract.ts';
import { artifactTypes, checkStatuses, fileActions } from '../../contracts/result.ts';
import { failureClasses } from '../../gates/failure-policy.ts';
import { priorities } from '../../gates/gate-steps.ts';
import { workFindingSchema } from './verification.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const text = lazy(() => z.string());

export const failureSchema = lazy(() =>
  z.strictObject({
    class: z.enum(failureClasses),
    message: text(),
    /** When a quota lifts, if known: milliseconds, wall clock. */
    until: z.optional(count()),
  }),
);
export type Failure = z.infer<ReturnType<typeof failureSchema>>;

/** As far as the client reports it: an absent number is unknown, not zero. */
export const usageSchema = lazy(() =>
  z.strictObject({
    tokens: z.optional(count()),
    cost: z.optional(z.number().check(z.nonnegative())),
    /** Source of the numbers, in the client's words. */
    source: z.optional(text()),
    /** The numbers are correct but incomplete. */
    isPartial: z.optional(z.literal(true)),
  }),
);
export type Usage = z.infer<ReturnType<typeof usageSchema>>;

/** The verdict of a review. The action is in the agent's words. */
export const verdictSchema = lazy(() => z.strictObject({ priority: z.enum(priorities), action: text() }));
export type Verdict = z.infer<ReturnType<typeof verdictSchema>>;

/** A row of the acceptance check in a report. In the agent's words, redacted and truncated. */
const checkRowSchema = lazy(() =>
  z.strictObject({ criterion: text(), status: z.enum(checkStatuses), evidence: z.optional(text()) }),
);
export type CheckRow = z.infer<ReturnType<typeof checkRowSchema>>;

/**
 * The changes an agent claims to have made, checked against the facts by verification. In the agent's words,
 * truncated.
 */
export const claimsSchema = lazy(() =>
  z.strictObject({
    /** `none` if the contract asks for no files; `with-actions` if it also asks for the action on each. */
    files: z.enum(['none', 'changed', 'with-actions']),
    touched: z.array(z.strictObject({ path: text(), action: z.enum(fileActions) })),
    artifacts: z.array(text()),
    evidence: z.array(text()),
    /** Its account of the acceptance criteria; absent if the contract asks for none. */
    checks: z.optional(z.array(checkRowSchema())),
    /** Findings about the return itself. */
    findings: z.array(workFindingSchema()),
  }),
);
export type Claims = z.infer<ReturnType<typeof claimsSchema>>;

/** An error as its agent describes it. In the agent's words, redacted and truncated. */
const reportedErrorSchema = lazy(() =>
  z.strictObject({ type: text(), message: text(), recoverable: z.boolean(), recommendation: z.optional(text()) }),
);
export type ReportedError = z.infer<ReturnType<typeof reportedErrorSchema>>;

/** The part of a block or JSON return that goes beyond a status. In the agent's words, redacted and truncated. */
export const structuredResultSchema = lazy(() =>
  z.strictObject({
    action: z.enum(actions),
    /** Findings and obstacles. */
    notes: z.array(text()),
    artifacts: z.array(z.strictObject({ type: z.enum(artifactTypes), path: text() })),
    nextSteps: z.optional(text()),
    /** With the agent's advice on each. */
    errors: z.optional(z.array(reportedErrorSchema())),
    /** The contract's own fields, if plain and short. */
    fields: z.record(z.string(), z.union([text(), z.number(), z.boolean(), z.array(text())])),
  }),
);
export type StructuredResult = z.infer<ReturnType<typeof structuredResultSchema>>;

const everyOutcome = lazy(() => ({
  summary: text(),
  files: z.array(text()),
  /** Path of the full report, relative to the project; absent when none was kept. */
  report: z.optional(text()),
  repairs: count(),
  degraded: z.array(text()),
  /** Files in the room of an attempt that did not complete, as git finds them; the first ones. */
  left: z.optional(z.array(text())),
  claims: z.optional(claimsSchema()),
  /** Its notes to others, redacted and truncated; those of a block or JSON return are in `structuredResult`. */
  notes: z.optional(z.array(text())),
  structuredResult: z.optional(structuredResultSchema()),
  /** The document the task had to write, if the run depends on it: redacted and truncated. */
  document: z.optional(text()),
  usage: z.optional(usageSchema()),
  /** Hashes of the files when the attempt ended, by path: a resumed run checks them before it trusts the work. */
  fileHashes: z.optional(z.record(text(), text())),
}));

const completedOutcome = lazy(() =>
  z.strictObject({ status: z.literal('completed'), ...everyOutcome(), verdict: z.optional(verdictSchema()) }),
);
const unfinishedStatuses = ['partial', 'failed', 'blocked'] as const;
const failedOutcome = lazy(() =>
  z.strictObject({ status: z.enum(unfinishedStatuses), ...everyOutcome(), failure: failureSchema() }),
);

/** A completed attempt has no failure; every other one has exactly one. */
export const outcomeSchema = lazy(() => z.discriminatedUnion('status', [completedOutcome(), failedOutcome()]));
export type Outcome = z.infer<ReturnType<typeof outcomeSchema>>;
export type CompletedOutcome = z.infer<ReturnType<typeof completedOutcome>>;
export type FailedOutcome = z.infer<ReturnType<typeof failedOutcome>>;
