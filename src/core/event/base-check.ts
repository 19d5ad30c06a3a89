/** Base check: how an acceptance command ends where the run starts, before any agent has worked. The canary finds it out. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';

const count = lazy(() => z.int().check(z.nonnegative()));
const text = lazy(() => z.string());

/**
 * `environment`: it cannot run in a room, because a program or a package is missing. `unknown`: nothing could be found out, such
 * as where set-up fails.
 */
export const baseResults = ['green', 'red', 'environment', 'unknown'] as const;

export const baseCheckSchema = lazy(() =>
  z.strictObject({
    argv: z.array(text()),
    from: z.enum(['plan', 'config']),
    result: z.enum(baseResults),
    /** As in `CommandRun`; for `unknown`, why. */
    end: text(),
    milliseconds: count(),
    /** The program or package that a command of the result `environment` misses. */
    missing: z.optional(text()),
    /** The line of its output that names the cause. */
    cause: z.optional(text()),
    /** Its error lines in a comparable form, for a command of the config: failures that are not the agent's. */
    errors: z.optional(z.array(text())),
    /** Path of its output, relative to the project. */
    output: z.optional(text()),
    /** Files of the user's checkout that it loaded from its room. */
    outside: z.optional(z.array(text())),
    /** It failed once and passed then. */
    isFlaky: z.optional(z.literal(true)),
    /** Found out by an earlier run. */
    isCached: z.optional(z.literal(true)),
  }),
);
export type BaseCheck = z.infer<ReturnType<typeof baseCheckSchema>>;
