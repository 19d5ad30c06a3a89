/**
 * What was last written about backlog tasks into the files that people read: so a hand edit is told from a file that is behind.
 *
 * What is about to be written is on record first, together with what was there before. A process that dies in between leaves
 * a file of which both are known.
 */
import type { ListedTask } from './task-list-event.ts';
import { listedTask, fromJson } from './task-rows.ts';
import type { Connection } from '../connection.ts';

export const viewNames = ['todo', 'state'] as const;
export type ViewName = (typeof viewNames)[number];

/** An entry as it was written; the ledger does not look into it. */
export type Entry = object;

export interface View {
  /** Relative to the project. */
  readonly path: string;
  /** Of the whole file. */
  readonly hash: string;
  /** What was there before, for as long as nobody knows whether the writing came to its end. */
  readonly before: { readonly hash: string | null; readonly entries: ReadonlyMap<number, Entry | null> } | null;
}

/** A row of the task list, as far as it concerns a view. */
export interface BehindTask extends ListedTask {
  /** Which state of the task this is; given back when it was written. */
  readonly seq: number;
}

export interface ViewWriting {
  readonly path: string;
  readonly hash: string;
  readonly was: string | null;
  /** `null` where the task has no entry any more. */
  readonly tasks: readonly { readonly number: number; readonly seq: number; readonly entry: Entry | null }[];
}

export function readView(connection: Connection, name: ViewName): View | null {
  const row = connection.prepare('select path, hash, before from task_views where name = ?').get(name);
  if (row === undefined) return null;
  const view = { path: String(row['path']), hash: String(row['hash']) };
  if (row['before'] === null) return { ...view, before: null };
  const before = fromJson(connection, row['before']) as { hash: string | null; entries: [number, Entry | null][] };
  return { ...view, before: { hash: before.hash, entries: new Map(before.entries) } };
}

/** Those whose newest state is not in the view. */
export function behindIn(connection: Connection, name: ViewName): BehindTask[] {
  const rows = connection
    .prepare(`select seq, archived, body from backlog_tasks where ${name}_seq <> seq order by number`)
    .all();
  return rows.map((row) => ({ ...listedTask(connection, row), seq: Number(row['seq']) }));
}

export function entriesOf(connection: Connection, name: ViewName): Map<number, Entry> {
  const rows = connection
    .prepare(`select number, ${name}_entry as entry from backlog_tasks where ${name}_entry is not null order by number`)
    .all();
  return new Map(rows.map((row) => [Number(row['number']), fromJson(connection, row['entry']) as Entry]));
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

/** The writing did not happen: what was there before counts again, and what was to be written is behind. */
export function undoWriting(connection: Connection, name: ViewName): void {
  const before = readView(connection, name)?.before ?? null;
  if (before === null) return;
  const update = connection.prepare(`update backlog_tasks set ${name}_entry = ?, ${name}_seq = 0 where number = ?`);
  for (const [number, entry] of before.entries) update.run(entry === null ? null : JSON.stringify(entry), number);
  if (before.hash === null) connection.prepare('delete from task_views where name = ?').run(name);
  else connection.prepare('update task_views set hash = ?, before = null where name = ?').run(before.hash, name);
}

/** A file as it was found, when somebody else has written it. */
export interface SeenView {
  readonly path: string;
  readonly hash: string;
  /** Those that are not as they were written; `null` for one that is gone. */
  readonly entries: ReadonlyMap<number, Entry | null>;
  /** Of these it says what the task list says; of the outdated ones it does not. */
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

/** The file is another one now: nothing of what was written counts for it. */
export function forgetView(connection: Connection, name: ViewName): void {
  connection.prepare('delete from task_views where name = ?').run(name);
  connection.prepare(`update backlog_tasks set ${name}_entry = null, ${name}_seq = 0`).run();
}
