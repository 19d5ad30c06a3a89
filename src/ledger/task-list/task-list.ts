/**
 * TaskList: the truth about backlog tasks, as events and one derived row per task.
 *
 * Promises: each change is one transaction that also checks whether it is allowed (`todo/task-status.ts`), so of two
 * processes that change a task at once the second sees the first one's change; a number is never assigned twice;
 * looking up a task takes the same time among ten and among ten thousand.
 */
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import type { ProjectTask, TaskChanges } from '../../todo/project-task.ts';
import { mayFollow } from '../../todo/task-status.ts';
import { wholeChange } from './task-changes.ts';
import { type ListedTask, type taskAuthors, isEnd } from './task-list-event.ts';
import { taskTransition, taskUnknown } from './task-fault.ts';
import {
  appendEvent,
  historyOf,
  nextNumber,
  recordChange,
  type RecordedTaskEvent,
  rowOf,
  statusBefore,
  type TaskFilter,
  tasksOf,
} from './task-rows.ts';
import {
  type BehindTask,
  beginWriting,
  behindIn,
  endWriting,
  writtenEntries,
  type WrittenEntry,
  forgetView,
  readView,
  sawView,
  type SeenView,
  undoWriting,
  type View,
  type ViewName,
  type ViewWriting,
} from './task-views.ts';
import type { Connection } from '../connection.ts';
import { inTransaction } from '../in-transaction.ts';
import { guarded } from '../ledger-fault.ts';

export interface By {
  readonly by: (typeof taskAuthors)[number];
  readonly run?: string | undefined;
}

export interface ChangeBy extends By {
  /** Restores the status before the current one, for a failed command. */
  readonly undo?: boolean | undefined;
}

/** The number a file gives; otherwise the next one is assigned. */
export type NewBacklogTask = { readonly title: string } & Partial<ProjectTask>;

export interface TaskListReader {
  /** Archived or not. */
  task(number: number): ProjectTask | null;
  isArchived(number: number): boolean;
  /** Ordered by number. */
  tasks(filter?: TaskFilter): ProjectTask[];
  /** The number of the next task. */
  next(): number;
  /** In order. */
  history(number: number): RecordedTaskEvent[];
  view(name: ViewName): View | null;
  /** Tasks whose newest state is not in that view yet. */
  behind(name: ViewName): BehindTask[];
  /** The entries as last written to that view. */
  entries(name: ViewName): Map<number, WrittenEntry>;
}

export interface TaskList extends TaskListReader {
  add(draft: NewBacklogTask, who: By): ProjectTask;
  /** Returns the changed task. Throws TASK_UNKNOWN or TASK_TRANSITION. Does nothing if nothing changes. */
  change(number: number, changes: TaskChanges, who: ChangeBy): ProjectTask;
  /** Archives completed, abandoned or expanded tasks: removes them from the views. Returns the archived ones. */
  archive(numbers: readonly number[], who: By): number[];
  /** Numbers below this one are never assigned. */
  takeNumbers(next: number, who: By): void;
  /** Records an edit of a view that was not accepted. */
  conflict(number: number, edit: { readonly view: string; readonly what: string }): void;
  beginWriting(name: ViewName, writing: ViewWriting): void;
  endWriting(name: ViewName): void;
  undoWriting(name: ViewName): void;
  sawView(name: ViewName, seen: SeenView): void;
  forgetView(name: ViewName): void;
}

/** A reader may exist before its file: then the list is empty. */
export function taskListReader(file: string, current: () => Connection | null): TaskListReader {
  const reading = <T>(nothing: T, work: (connection: Connection) => T): T =>
    guarded(file, () => {
      const connection = current();
      return connection === null ? nothing : work(connection);
    });
  return {
    task: (number) => reading<ProjectTask | null>(null, (from) => rowOf(from, number)?.task ?? null),
    isArchived: (number) => reading(false, (from) => rowOf(from, number)?.isArchived ?? false),
    tasks: (filter = {}) => reading<ProjectTask[]>([], (from) => tasksOf(from, filter)),
    next: () => reading(1, nextNumber),
    history: (number) => reading<RecordedTaskEvent[]>([], (from) => historyOf(from, number)),
    view: (name) => reading<View | null>(null, (from) => readView(from, name)),
    behind: (name) => reading<BehindTask[]>([], (from) => behindIn(from, name)),
    entries: (name) => reading(new Map<number, WrittenEntry>(), (from) => writtenEntries(from, name)),
  };
}

export function openTaskList(connection: Connection, now: () => number): TaskList {
  const { file, db } = connection;
  const writing = <T>(work: (at: string) => T): T =>
    guarded(file, () =>
      inTransaction(db, () => {
        connection.assertInPlace();
        return work(new Date(now()).toISOString());
      }),
    );
  return {
    ...taskListReader(file, () => connection),
    add: (draft, who) => writing((at) => addTask(connection, draft, who, at)),
    change: (number, changes, who) => writing((at) => changeTask(connection, number, changes, who, at)),
    archive: (numbers, who) => writing((at) => numbers.filter((number) => archiveTask(connection, number, who, at))),
    takeNumbers: (next, who) =>
      writing((at) => {
        if (next <= nextNumber(connection)) return;
        appendEvent(connection, { kind: 'numbers.taken', at, ...named(who), number: next - 1 });
      }),
    conflict: (number, edit) =>
      writing((at) => {
        appendEvent(connection, { kind: 'edit.conflicted', at, by: 'file', number, ...edit });
      }),
    beginWriting: (name, what) => writing(() => beginWriting(connection, name, what)),
    endWriting: (name) => writing(() => endWriting(connection, name)),
    undoWriting: (name) => writing(() => undoWriting(connection, name)),
    sawView: (name, seen) => writing(() => sawView(connection, name, seen)),
    forgetView: (name) => writing(() => forgetView(connection, name)),
  };
}

const named = ({ by, run }: By): { by: By['by']; run?: string } => ({ by, ...defined({ run }) });

function addTask(connection: Connection, draft: NewBacklogTask, who: By, at: string): ProjectTask {
  const { number = nextNumber(connection) } = draft;
  if (rowOf(connection, number) !== undefined) {
    throw divisiError('EVENT_INVALID', {
      message: `task ${number} already exists`,
      next: 'Omit the number to get the next free one. Nothing was changed.',
      ids: { number },
    });
  }
  const task: ProjectTask = {
    description: '',
    status: 'not started',
    language: 'general',
    artifacts: [],
    created: at,
    updated: at,
    ...draft,
    number,
  };
  return recordChange(connection, undefined, { kind: 'task.added', at, ...named(who), number, task });
}

function changeTask(
  connection: Connection,
  number: number,
  changes: TaskChanges,
  who: ChangeBy,
  at: string,
): ProjectTask {
  const listed = knownRow(connection, number);
  const { status } = listed.task;
  const next = changes.status ?? status;
  const mayBe =
    who.undo === true ? next === status || next === statusBefore(connection, number) : mayFollow(status, next);
  if (!mayBe) throw taskTransition(number, status, next);
  const whole = wholeChange(listed.task, changes, at);
  if (whole === null) return listed.task;
  return recordChange(connection, listed, { kind: 'task.changed', at, ...named(who), number, was: status, ...whole });
}

/** False if it was already archived. */
function archiveTask(connection: Connection, number: number, who: By, at: string): boolean {
  const listed = knownRow(connection, number);
  if (listed.isArchived) return false;
  const { status } = listed.task;
  if (!isEnd(status)) {
    throw divisiError('TASK_TRANSITION', {
      message: `task ${number} is ${status} and cannot be archived`,
      expected: 'completed, abandoned or expanded',
      got: status,
      next: `Finish it or abandon it: \`divisi task abandon ${number}\`. Nothing was changed.`,
      ids: { number, status },
    });
  }
  recordChange(connection, listed, { kind: 'task.archived', at, ...named(who), number });
  return true;
}

function knownRow(connection: Connection, number: number): ListedTask {
  const listed = rowOf(connection, number);
  if (listed === undefined) throw taskUnknown(number, readView(connection, 'todo')?.path ?? 'the task list');
  return listed;
}
