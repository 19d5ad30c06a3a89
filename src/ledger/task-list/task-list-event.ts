/**
 * The events of backlog tasks, and how each changes a task. Only `applyToTask` creates rows of the task list, so the
 * events alone give the same rows.
 */
import * as z from 'zod/mini';
import { divisiError } from '../../base/error.ts';
import { lazy } from '../../base/lazy.ts';
import { inWords } from '../../base/schema-words.ts';
import { type ProjectTask, projectTaskSchema } from '../../todo/project-task.ts';
import { endStatuses, type TaskStatus, taskStatuses } from '../../todo/task-status.ts';

/** A task command; a person with `divisi task`; an edited file. */
export const taskAuthors = ['command', 'person', 'file'] as const;

/** Fields that may have no value. */
const optional = ['effort', 'priority', 'reason', 'parent', 'completed'] as const;
export type OptionalKey = (typeof optional)[number];

export function isOptionalKey(key: string): key is OptionalKey {
  return (optional as readonly string[]).includes(key);
}

const eventSchema = lazy(() => {
  const head = {
    /** `2026-11-16T10:00:00.000Z`. */
    at: z.string(),
    by: z.enum(taskAuthors),
    /** The run that did it. */
    run: z.optional(z.string()),
  };
  const number = z.int().check(z.positive());
  return z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('task.added'), ...head, number, task: projectTaskSchema() }),
    z.strictObject({
      kind: z.literal('task.changed'),
      ...head,
      number,
      /** The status before. */
      was: z.enum(taskStatuses),
      set: z.partial(projectTaskSchema()),
      unset: z.array(z.enum(optional)),
    }),
    z.strictObject({ kind: z.literal('task.archived'), ...head, number }),
    /** A file says that numbers up to this one belong to tasks outside the task list. */
    z.strictObject({ kind: z.literal('numbers.taken'), ...head, number }),
    /** An edit of a file that conflicts with the task list, which stayed as it was. */
    z.strictObject({
      kind: z.literal('edit.conflicted'),
      ...head,
      number,
      /** The edited file. */
      view: z.string(),
      /** Names both sides. */
      what: z.string(),
    }),
  ]);
});

export type TaskListEvent = z.infer<ReturnType<typeof eventSchema>>;
/** The events that create or change a row. */
export type TaskEvent = Extract<TaskListEvent, { kind: `task.${string}` }>;

export function checkTaskListEvent(event: TaskListEvent): TaskListEvent {
  const parsed = eventSchema().safeParse(event, inWords);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw divisiError('EVENT_INVALID', {
    message: `not an event of the task list: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`,
    next: 'Fix the values of the task; nothing was written.',
    ids: { kind: event.kind, number: event.number },
  });
}

export interface ListedTask {
  readonly task: ProjectTask;
  /** Archived: in the task list, but in no view. */
  readonly isArchived: boolean;
}

export function applyToTask(listed: ListedTask | undefined, event: TaskEvent): ListedTask {
  if (event.kind === 'task.added') return { task: event.task, isArchived: false };
  if (listed === undefined) throw new Error(`${event.kind} of a task ${event.number} that was never added`);
  switch (event.kind) {
    case 'task.changed': {
      // An event is JSON: absent keys stay absent.
      const task = { ...listed.task, ...event.set } as ProjectTask;
      for (const key of event.unset) delete task[key];
      // A reopened task appears in the views again.
      return { task, isArchived: listed.isArchived && isEnd(task.status) };
    }
    case 'task.archived':
      return { ...listed, isArchived: true };
    default:
      return event satisfies never;
  }
}

export function isEnd(status: TaskStatus): boolean {
  return (endStatuses as readonly TaskStatus[]).includes(status);
}
