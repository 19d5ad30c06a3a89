/** Stores the events of the task list and their rows. The only SQL about backlog tasks. */
import type { ProjectTask } from '../../todo/project-task.ts';
import type { TaskStatus } from '../../todo/task-status.ts';
import {
  applyToTask,
  type ListedTask,
  type TaskListEvent,
  checkTaskListEvent,
  type TaskEvent,
} from './task-list-event.ts';
import type { Connection } from '../connection.ts';
import { ledgerCorrupt } from '../ledger-fault.ts';

export interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  /** Archived ones included. */
  readonly archived?: boolean | undefined;
  readonly parent?: number | undefined;
}

export type RecordedTaskEvent = { readonly seq: number } & TaskListEvent;

export function rowOf(connection: Connection, number: number): ListedTask | undefined {
  const row = connection.prepare('select archived, body from backlog_tasks where number = ?').get(number);
  return row && listedTask(connection, row);
}

export function listedTask(connection: Connection, row: Record<string, unknown>): ListedTask {
  return { task: fromJson(connection, row['body']) as ProjectTask, isArchived: row['archived'] === 1 };
}

export function tasksOf(connection: Connection, { status, archived = false, parent }: TaskFilter): ProjectTask[] {
  const rows = connection
    .prepare(
      `select body from backlog_tasks where (?1 or archived = 0) and (?2 is null or status = ?2)
       and (?3 is null or json_extract(body, '$.parent') = ?3) order by number`,
    )
    .all(archived ? 1 : 0, status ?? null, parent ?? null);
  return rows.map((row) => fromJson(connection, row['body']) as ProjectTask);
}

/** Every number ever used is in an event. */
export function nextNumber(connection: Connection): number {
  const row = connection.prepare('select coalesce(max(number), 0) + 1 as next from task_events').get();
  return Number(row?.['next']);
}

export function historyOf(connection: Connection, number: number): RecordedTaskEvent[] {
  const rows = connection.prepare('select seq, body from task_events where number = ? order by seq').all(number);
  return rows.map((row) => ({ ...(fromJson(connection, row['body']) as TaskListEvent), seq: Number(row['seq']) }));
}

/** The status before the task's current one. */
export function statusBefore(connection: Connection, number: number): TaskStatus | null {
  const row = connection
    .prepare(
      `select json_extract(body, '$.was') as was from task_events
       where number = ? and json_extract(body, '$.set.status') is not null order by seq desc limit 1`,
    )
    .get(number);
  return (row?.['was'] ?? null) as TaskStatus | null;
}

/** Appends an event that changes no row; returns its number. */
export function appendEvent(connection: Connection, event: TaskListEvent): number {
  const checked = checkTaskListEvent(event);
  const { lastInsertRowid } = connection
    .prepare('insert into task_events(number, body) values(?, ?)')
    .run(checked.number, JSON.stringify(checked));
  return Number(lastInsertRowid);
}

/** Appends the event and writes the row after it. */
export function recordChange(connection: Connection, before: ListedTask | undefined, event: TaskEvent): ProjectTask {
  const seq = appendEvent(connection, event);
  const { task, isArchived } = applyToTask(before, event);
  connection
    .prepare(
      `insert into backlog_tasks(number, seq, status, archived, body) values(?, ?, ?, ?, ?) on conflict(number)
       do update set seq = excluded.seq, status = excluded.status, archived = excluded.archived, body = excluded.body`,
    )
    .run(task.number, seq, task.status, isArchived ? 1 : 0, JSON.stringify(task));
  return task;
}

export function fromJson({ file }: Connection, text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch (cause) {
    throw ledgerCorrupt(file, 'a row of the task list cannot be read', cause);
  }
}
