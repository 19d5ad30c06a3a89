/** Events of a run that a conversation conducts: who conducts it, and when it no longer does. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';

const text = lazy(() => z.string());

/** A process that another one can recognise later, though pids are reused. */
export const processSchema = lazy(() =>
  z.strictObject({ pid: z.number(), host: z.string(), boot: z.string(), started: z.string() }),
);

/** From here on a client's conversation performs the delegations. `process`: the client's, where the system can say. */
export const runConductedSchema = lazy(() =>
  z.strictObject({ client: text(), session: text(), process: z.optional(processSchema()) }),
);

/** The conversation wanted to stop although the run needs it, and was asked to continue: the how manieth time in a row. */
export const conductorHeldSchema = lazy(() => z.strictObject({ hold: z.int().check(z.positive()) }));

/** The run has no conductor until a conversation delegates again: this one `stopped`, or was `closed`. */
export const conductorLeftSchema = lazy(() => z.strictObject({ why: z.enum(['stopped', 'closed']) }));
