/** Worklog: the schema of one line, in which an agent records what it just did. */
import * as z from 'zod/mini';
import { delegationIdSchema } from './ids.ts';

export const worklogKinds = ['started', 'note', 'decision', 'file', 'command', 'issue', 'finished'] as const;

export const worklogLineSchema = z.lazy(() =>
  z.strictObject({
    version: z.literal(1),
    time: z.iso.datetime({ offset: true }),
    delegation_id: delegationIdSchema,
    task_id: z.string().check(z.minLength(1)),
    kind: z.enum(worklogKinds),
    message: z.string().check(z.minLength(1), z.maxLength(4_000)),
  }),
);

export type WorklogLine = z.infer<typeof worklogLineSchema>;
