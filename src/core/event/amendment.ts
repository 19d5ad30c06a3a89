/**
 * Amendment: one change that a person's edit of the plan makes to the run. Waves are numbered by their position in
 * the run.
 */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { tiers } from '../../plan/plan.ts';
import { plannedTaskSchema, taskIdSchema } from './planned-task.ts';

const count = lazy(() => z.int().check(z.nonnegative()));

const wave = lazy(() => ({ title: z.string(), reviewTier: z.enum(tiers), reviewer: z.optional(z.string()) }));

export const amendmentSchema = lazy(() =>
  z.discriminatedUnion('kind', [
    /** `at` is the task's position in the wave. */
    z.strictObject({ kind: z.literal('add'), wave: count(), at: count(), task: plannedTaskSchema() }),
    z.strictObject({ kind: z.literal('remove'), task: taskIdSchema() }),
    z.strictObject({ kind: z.literal('change'), task: plannedTaskSchema() }),
    z.strictObject({ kind: z.literal('rename'), from: taskIdSchema(), to: taskIdSchema() }),
    z.strictObject({ kind: z.literal('move'), task: taskIdSchema(), wave: count(), at: count() }),
    z.strictObject({ kind: z.literal('order'), wave: count(), tasks: z.array(taskIdSchema()) }),
    /** Marked as done by a person. */
    z.strictObject({ kind: z.literal('tick'), task: taskIdSchema() }),
    /** Appended after all other waves; `number` is the plan's number for it. */
    z.strictObject({ kind: z.literal('add-wave'), number: count(), ...wave() }),
    z.strictObject({ kind: z.literal('change-wave'), wave: count(), ...wave() }),
    z.strictObject({ kind: z.literal('add-checkpoint'), afterWave: count(), why: z.string() }),
    z.strictObject({ kind: z.literal('remove-checkpoint'), afterWave: count(), why: z.string() }),
  ]),
);
export type Amendment = z.infer<ReturnType<typeof amendmentSchema>>;
