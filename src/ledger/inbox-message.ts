/** InboxMessage: a message that any process may leave in the inbox of a run. */
import * as z from 'zod/mini';
import { lazy } from '../base/lazy.ts';
import { processSchema } from '../core/event/conducting.ts';
import { updateRequestSchema } from '../core/event/update.ts';
import { delegationIdSchema } from '../base/ids.ts';

export const inboxMessageSchema = lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('pause') }),
    z.strictObject({ kind: z.literal('cancel') }),
    z.strictObject({
      kind: z.literal('answer'),
      checkpoint: z.string().check(z.minLength(1)),
      approved: z.boolean(),
      note: z.optional(z.string()),
    }),
    /** Take over a newer base or newer settings. */
    z.strictObject({ kind: z.literal('update'), request: updateRequestSchema() }),
    /** An agent of a conversation wrote a file; relative to the project. */
    z.strictObject({ kind: z.literal('touched'), delegation: delegationIdSchema, path: z.string() }),
    /** The process that verifies this delegation; once it is gone, another may. */
    z.strictObject({
      kind: z.literal('verifying'),
      delegation: delegationIdSchema,
      by: processSchema(),
    }),
  ]),
);
export type InboxMessage = z.infer<ReturnType<typeof inboxMessageSchema>>;
