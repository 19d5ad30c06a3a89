/** InboxMessage: a message that any process may leave in the inbox of a run. */
import * as z from 'zod/mini';
import { lazy } from '../base/lazy.ts';
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
    /** An agent of a conversation wrote a file; relative to the project. */
    z.strictObject({ kind: z.literal('touched'), delegation: delegationIdSchema, path: z.string() }),
    /** The process that verifies this delegation; once it is gone, another may. */
    z.strictObject({
      kind: z.literal('verifying'),
      delegation: delegationIdSchema,
      by: z.strictObject({ pid: z.number(), host: z.string(), boot: z.string(), started: z.string() }),
    }),
  ]),
);
export type InboxMessage = z.infer<ReturnType<typeof inboxMessageSchema>>;
