/** Snapshot schema: what a snapshot says to git and to commands, in the form that events must have. The rest only counts and names. */
import * as z from 'zod/mini';
import { lazy } from '../../base/lazy.ts';
import { commitSchema } from '../event/git-names.ts';
import { plannedTaskSchema } from '../event/planned-task.ts';
import { updateRequestSchema } from '../event/update.ts';
import { roomSchema, verificationSchema, workspaceSchema } from '../event/verification.ts';

const commit = lazy(() => z.nullable(commitSchema()));

const attempt = lazy(() =>
  z.object({
    room: z.nullable(roomSchema()),
    verification: z.nullable(verificationSchema()),
    commit: commit(),
  }),
);

const before = lazy(() => z.object({ before: z.nullish(z.object({ room: z.nullish(roomSchema()) })) }));

const task = lazy(() =>
  z.union([
    z.tuple([z.number(), z.unknown(), z.nullable(z.union([attempt(), z.array(z.unknown())]))]),
    z.tuple([z.number(), z.unknown(), z.nullable(z.union([attempt(), z.array(z.unknown())])), before()]),
  ]),
);

const snapshotSchema = lazy(() =>
  z.object({
    plain: z.object({
      workspaces: z.array(workspaceSchema()),
      updates: z.array(z.object(updateRequestSchema().shape)),
      head: commit(),
    }),
    tasks: z.array(task()),
    gateTasks: z.array(z.tuple([z.object({ planned: plannedTaskSchema() }), task()])),
  }),
);

/** False for a text that Divisi did not write: the events say what is true. */
export function isSoundSnapshot(text: string): boolean {
  try {
    return snapshotSchema().safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
