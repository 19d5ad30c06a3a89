/** Checkpoint: a pause that only a person ends, planned or caused by trouble. Each kind names its one subject. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { amendmentSchema } from './amendment.ts';
import { taskIdSchema } from './planned-task.ts';

/** What follows trouble where nobody is asked: its checkpoints are rejected, or the run pauses at the first. */
export const troubleAnswers = ['reject', 'stop'] as const;
export type TroubleAnswer = (typeof troubleAnswers)[number];

const text = lazy(() => z.string());
const opened = lazy(() => ({ checkpoint: text(), why: text() }));

export const checkpointOpenedSchema = lazy(() =>
  z.discriminatedUnion('type', [
    /** Requested by the plan. */
    z.strictObject({ ...opened(), type: z.literal('planned'), afterWave: z.int().check(z.nonnegative()) }),
    /** A gate did not pass. */
    z.strictObject({ ...opened(), type: z.literal('review'), gate: text() }),
    /** A task failed. */
    z.strictObject({ ...opened(), type: z.literal('failure'), task: taskIdSchema() }),
    /** Several tasks failed in the same way. */
    z.strictObject({ ...opened(), type: z.literal('breaker'), signature: text() }),
    /** Acceptance commands of the config are red at the base of the run. */
    z.strictObject({ ...opened(), type: z.literal('base'), commands: z.array(z.array(text())) }),
    /** A budget is exhausted: the task's, or the run's if no task is named. */
    z.strictObject({
      ...opened(),
      type: z.literal('budget'),
      budget: z.enum(['minutes', 'delegations', 'tokens', 'cost']),
      task: z.optional(taskIdSchema()),
    }),
    /** The disk has been too full for a while. */
    z.strictObject({ ...opened(), type: z.literal('disk') }),
    /** A person edited the plan. */
    z.strictObject({ ...opened(), type: z.literal('edit'), amendments: z.array(amendmentSchema()) }),
    /** A step of a feature was refused for the third time. */
    z.strictObject({ ...opened(), type: z.literal('feature'), step: taskIdSchema() }),
    /** Features depend on each other in a cycle; `need` is the dependency to drop. */
    z.strictObject({ ...opened(), type: z.literal('cycle'), need: text() }),
  ]),
);
export type CheckpointOpened = z.infer<ReturnType<typeof checkpointOpenedSchema>>;
export type CheckpointKind = CheckpointOpened['type'];
