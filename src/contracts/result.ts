/** Result: the canonical envelope every return is converted to, in any wire format. */
import * as z from 'zod/mini';
import type { Contract } from './contract.ts';
import { wireFormats } from './wire/raw.ts';
import { type Fields, limits, type OwnFields } from './field.ts';
import { deviationSchema, type Violation } from './finding.ts';
import { statuses } from './status.ts';

export const artifactTypes = ['plan', 'report', 'summary', 'implementation', 'documentation'] as const;
export const fileActions = ['create', 'edit', 'delete', 'rename'] as const;
export const checkStatuses = ['pass', 'fail', 'skip'] as const;
export const degradedFlags = ['secret-redacted'] as const;

const count = z.int().check(z.nonnegative());

export const resultSchema = z.lazy(() =>
  z.strictObject({
    contract: z.string(),
    status: z.enum(statuses),
    summary: z.string().check(z.minLength(1), z.maxLength(limits.summaryMax)),
    artifacts: z.array(
      z.strictObject({ type: z.enum(artifactTypes), path: z.string(), summary: z.optional(z.string()) }),
    ),
    filesTouched: z.array(z.strictObject({ path: z.string(), action: z.enum(fileActions) })),
    checks: z.array(
      z.strictObject({ criterion: z.string(), status: z.enum(checkStatuses), evidence: z.optional(z.string()) }),
    ),
    notes: z.array(z.string()),
    errors: z.array(
      z.strictObject({
        /** validation, execution, timeout, permission; agents may name others. */
        type: z.string(),
        code: z.optional(z.string()),
        message: z.string(),
        recoverable: z.boolean(),
        recommendation: z.optional(z.string()),
      }),
    ),
    nextSteps: z.optional(z.string()),
    metadata: z.strictObject({
      delegationId: z.optional(z.string()),
      agent: z.optional(z.string()),
      depth: z.optional(count),
      path: z.optional(z.array(z.string())),
      durationSeconds: z.optional(z.number().check(z.nonnegative())),
      phaseCount: z.optional(count),
      estimatedHours: z.optional(z.number().check(z.nonnegative())),
      findingsCount: z.optional(count),
      schemaVersion: z.optional(z.string()),
      runId: z.optional(z.string()),
      taskId: z.optional(z.string()),
      worklogPath: z.optional(z.string()),
    }),
    /** The contract's own values, typed by the contract. */
    fields: z.record(z.string(), z.unknown()),
    wireFormat: z.enum(wireFormats),
    deviations: z.array(deviationSchema),
    /** Accepted, but worth less than it looks. */
    degraded: z.array(z.enum(degradedFlags)),
  }),
);

type Envelope = z.infer<typeof resultSchema>;

export type Result<F = Readonly<Record<string, unknown>>> = Omit<Envelope, 'fields'> & { readonly fields: F };
export type ResultOf<C> = C extends Contract<infer F extends Fields> ? Result<OwnFields<F>> : Result;

/** The readable part of a refused return. Not validated as a whole. */
export interface Salvage {
  readonly result: Partial<Result>;
  /** Both ends of the original text, redacted; the tail is empty when the head holds everything. */
  readonly head: string;
  readonly tail: string;
}

export type Reading<R = Result> =
  | { readonly ok: true; readonly result: R }
  | { readonly ok: false; readonly violations: readonly Violation[]; readonly salvaged: Salvage };
