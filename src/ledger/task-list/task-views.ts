/**
 * Records what was last written about backlog tasks to the files people read, which tells a hand edit from a stale
 * file.
 *
 * Each write is recorded first, together with the content before it. If the process dies in between, both are known.
 */
import type { ListedTask } from './task-list-event.ts';
import { listedTask, fromJson } from './task-rows.ts';
import type { Connection } from '../connection.ts';

export const viewNames = ['todo', 'state'] as const;
export type ViewName = (typeof viewNames)[number];

/** An entry as written; opaque to the ledger. */
export type WrittenEntry = object;

export interface View {
  /** Relative to the project. */
  readonly path: string;
  /** The hash of the whole file. */
  readonly hash: string;
  /** The content before a write that may not have finished. */
  readonly before: { readonly hash: string | null; readonly entries: ReadonlyMap<number, WrittenEntry | null> } | null;
}

/** A row of the task list as far as a view needs it. */
export interface BehindTask extends ListedTask {
  /** The version of the task's state; passed back once it is written. */
  readonly seq: number;
}

export interface ViewWriting {
  readonly path: string;
  readonly hash: string;
  readonly was: string | null;
  /** `null` if the task no longer has an entry. */
  readonly tasks: readonly { readonly number: number; readonly seq: number; readonly entry: WrittenEntry | null }[];
}

export function readView(connection: Connection, name: ViewName): View | null {
  const row = connection.prepare('select path, hash, before from task_views where name = ?').get(name);
  if (row === undefined) return null;
  const view = { path: String(row['path']), hash: String(row['hash']) };
  if (row['before'] === null) return { ...view, before: null };
  const before = fromJson(connection, row['before']) as {
    hash: string | null;
    entries: [number, WrittenEntry | null][];
  };
  return { ...view, before: { hash: before.hash, entries: new Map(before.entries) } };
}

/** Tasks whose newest state is not in the view. */
export function behindIn(connection: Connection, name: ViewName): BehindTask[] {
  const rows = connection
    .prepare(`select seq, archived, body from backlog_tasks where ${name}_seq <> seq order by number`)
    .all();
  return rows.map((row) => ({ ...listedTask(connection, row), seq: Number(row['seq']) }));
}

export function writtenEntries(connection: Connection, name: ViewName): Map<number, WrittenEntry> {
  const rows = connection
    .prepare(`select number, ${name}_entry as entry from backlog_tasks where ${name}_entry is not null order by number`)
    .all();
  return new Map(rows.map((row) => [Number(row['number']), fromJson(connection, row['entry']) as WrittenEntry]));
}

export function beginWriting(connection: Connection, name: ViewName, writing: ViewWriting): void {
  const { path, hash, was, tasks } = writing;
  const entry = connection.prepare(`select ${name}_entry as entry from backlog_tasks where number = ?`);
  const update = connection.prepare(`update backlog_tasks set ${name}_entry = ?, ${name}_seq = ? where number = ?`);
  const entries = tasks.map(({ number }) => {
    const text = entry.get(number)?.['entry'];
    return [number, typeof text === 'string' ? fromJson(connection, text) : null];
  });
  for (const { number, seq, entry } of tasks) update.run(entry === null ? null : JSON.stringify(entry), seq, number);
  saveView(connection, name, path, hash, JSON.stringify({ hash: was, entries }));
}

function saveView(connection: Connection, name: ViewName, path: string, hash: string, before: string | null): void {
  connection
    .prepare(
      `insert into task_views(name, path, hash, before) values(?, ?, ?, ?) on conflict(name)
       do update set path = excluded.path, hash = excluded.hash, before = excluded.before`,
    )
    .run(name, path, hash, before);
}

export function endWriting(connection: Connection, name: ViewName): void {
  connection.prepare('update task_views set before = null where name = ?').run(name);
}

/** The write did not happen: the content before it counts again, and the new entries are pending. */
export function undoWriting(connection: Connection, name: ViewName): void {
  const before = readView(connection, name)?.before ?? null;
  if (before === null) return;
  const update = connection.prepare(`update backlog_tasks set ${name}_entry = ?, ${name}_seq = 0 where number = ?`);
  for (const [number, entry] of before.entries) update.run(entry === null ? null : JSON.stringify(entry), number);
  if (before.hash === null) connection.prepare('delete from task_views where name = ?').run(name);
  else connection.prepare('update task_views set hash = ?, before = null where name = ?').run(before.hash, name);
}

/** A file as found after another program wrote it. */
export interface SeenView {
  readonly path: string;
  readonly hash: string;
  /** Entries that differ from what was written; `null` for a missing one. */
  readonly entries: ReadonlyMap<number, WrittenEntry | null>;
  /** Tasks whose entry matches the task list; the outdated ones do not. */
  readonly inStep: readonly number[];
  readonly outdated: readonly number[];
}

export function sawView(connection: Connection, name: ViewName, seen: SeenView): void {
  const entry = connection.prepare(`update backlog_tasks set ${name}_entry = ? where number = ?`);
  for (const [number, found] of seen.entries) entry.run(found === null ? null : JSON.stringify(found), number);
  const inStep = connection.prepare(`update backlog_tasks set ${name}_seq = seq where number = ?`);
  for (const number of seen.inStep) inStep.run(number);
  const outdated = connection.prepare(`update backlog_tasks set ${name}_seq = 0 where number = ?`);
  for (const number of seen.outdated) outdated.run(number);
  saveView(connection, name, seen.path, seen.hash, null);
}

/** Another file took the view's place: forgets everything written before. */
export function forgetView(connection: Connection, name: ViewName): void {
  connection.prepare('delete from task_views where name = ?').run(name);
  connection.prepare(`update backlog_tasks set ${name}_entry = null, ${name}_seq = 0`).run();
}
