/** Update: a newer base or newer settings for a run, as it is requested, done or refused. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { commitSchema } from './git-names.ts';
import { taskIdSchema } from './planned-task.ts';
import { workspaceSchema } from './verification.ts';

const text = lazy(() => z.string());

/** A file of finished work that is not as that work left it. */
export const driftedFileSchema = lazy(() =>
  z.strictObject({ path: text(), task: taskIdSchema(), found: z.enum(['changed', 'missing']) }),
);

/** What a person asks for; also a row of the inbox. */
export const updateRequestSchema = lazy(() =>
  z.strictObject({
    workspace: workspaceSchema(),
    /** The commit to merge into the run's branch; absent where only the settings are taken over. */
    commit: z.optional(commitSchema()),
  }),
);
export type UpdateRequest = z.infer<ReturnType<typeof updateRequestSchema>>;

export const updateRequestedSchema = lazy(() => z.extend(updateRequestSchema(), { update: text() }));

export const workspaceUpdatedSchema = lazy(() =>
  z.strictObject({
    update: text(),
    /** The merge; absent where the branch had the commit already, or none was given. */
    head: z.optional(commitSchema()),
    /** The number of files that the merge changed. */
    merged: z.int().check(z.nonnegative()),
    drifted: z.array(driftedFileSchema()),
    /** Finished tasks that were verified again, and those of them that no longer hold: they are done again. */
    verified: z.array(taskIdSchema()),
    stale: z.array(z.strictObject({ task: taskIdSchema(), why: text() })),
    /** Why the finished work could not be verified again. */
    unverified: z.optional(text()),
  }),
);

export const updateRefusedSchema = lazy(() =>
  z.strictObject({
    update: text(),
    why: text(),
    /** Files in conflict. */
    files: z.array(text()),
  }),
);
