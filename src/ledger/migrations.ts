/**
 * The tables, as an append-only list of migrations. The file's `user_version` is the number of migrations applied.
 *
 * Missing ones run in one immediate transaction that reads the version again once it has the lock: of two processes
 * that open an old file at once, one migrates and the other finds it done, and no reader sees a schema in between.
 */
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.ts';
import { ledgerNewer } from './ledger-fault.ts';
import { pragma } from './pragma.ts';

/** "Divi" in ASCII: identifies a ledger among SQLite files. */
export const applicationId = 0x44697669;

export const migrations: readonly string[] = [
  `
  -- body is the whole event.
  create table events(run text not null, seq integer not null, body text not null, primary key(run, seq)) strict, without rowid;

  create table inbox(id integer primary key autoincrement, run text not null, at integer not null, body text not null) strict;
  create index inbox_by_run on inbox(run, id);

  -- A row stays when the lease is released: a token is never issued twice.
  create table leases(run text primary key, token integer not null, holder text, since integer not null) strict, without rowid;

  create table snapshots(run text primary key, seq integer not null, core integer not null, body text not null) strict, without rowid;

  -- Derived from the events and updated by the appends that change it. task: the number of a task command's backlog task.
  -- session: the conversation that conducts the run; hooks look it up at every step of a client.
  create table runs(
    run text primary key, created integer not null, title text not null, plan_file text not null, kind text not null, task integer,
    session text, status text not null
  ) strict, without rowid;
  create index runs_by_task on runs(task) where task is not null;
  create index runs_by_session on runs(session) where session is not null;

  -- The events of backlog tasks, in order. The largest number here is the largest ever used.
  create table task_events(seq integer primary key autoincrement, number integer not null, body text not null) strict;
  create index task_events_by_number on task_events(number, seq);

  -- Derived from the events. seq: the last event that changed the row. For each view: the entry as last written, and its seq.
  create table backlog_tasks(
    number integer primary key, seq integer not null, status text not null, archived integer not null, body text not null,
    todo_seq integer not null default 0, todo_entry text, state_seq integer not null default 0, state_entry text
  ) strict;
  create index tasks_behind_todo on backlog_tasks(number) where todo_seq <> seq;
  create index tasks_behind_state on backlog_tasks(number) where state_seq <> seq;

  create table task_views(name text primary key, path text not null, hash text not null, before text) strict, without rowid;

  pragma application_id = ${applicationId};
  `,
];

export function migrate(db: DatabaseSync, file: string, steps: readonly string[] = migrations): void {
  const version = pragma(db, 'user_version');
  if (version > steps.length) throw newerLayout(file, version, steps.length);
  if (version === steps.length) return;
  inTransaction(db, () => {
    for (const step of steps.slice(pragma(db, 'user_version'))) db.exec(step);
    db.exec(`pragma user_version = ${Math.max(steps.length, pragma(db, 'user_version'))}`);
  });
}

export function newerLayout(file: string, version: number, known: number): Error {
  return ledgerNewer(file, `layout ${version}`, `layout ${known} or older`);
}
