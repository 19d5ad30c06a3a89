/**
 * Opens the ledger's file, for writing or read-only, with the settings its promises rest on: a write-ahead log, so
 * that readers and the writer never wait for each other, and a full sync at each commit, so that acknowledged events
 * survive a power loss.
 *
 * Refuses a file that is not a ledger before touching it.
 */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { ledgerCorrupt, ledgerUnwritable, sqliteCode } from './ledger-fault.ts';
import { applicationId, migrate, migrations, newerLayout } from './migrations.ts';
import { pragma } from './pragma.ts';

export const inMemory = ':memory:';

/** Milliseconds to wait for another process's lock, which is held for a few milliseconds at a time. */
const patience = 5000;

export interface Connection {
  readonly file: string;
  readonly db: DatabaseSync;
  /** Undefined in memory. */
  readonly inode: number | undefined;
  /** Throws when the file was removed or replaced: no reader would see the write. */
  assertInPlace(): void;
  /** Returns the same statement for the same text. */
  prepare(sql: string): StatementSync;
}

export function connect(file: string): Connection {
  if (file !== inMemory) makePrivate(file);
  return closedOnFailure(new DatabaseSync(file), (db) => {
    refuseForeign(db, file);
    logAhead(db, file);
    db.exec('pragma synchronous = full');
    // KiB at most, allocated on demand: ten thousand backlog tasks stay in memory, so looking one up is as fast as
    // among ten.
    db.exec('pragma cache_size = -6000');
    migrate(db, file);
    return connection(file, db);
  });
}

/** For this user alone; SQLite gives its side files the mode of the file. */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}

/**
 * Null while there is nothing to read: no file, or one that is being created. SQLite keeps its two side files for a
 * reader as well; the ledger itself is not written to.
 */
export function connectReader(file: string): Connection | null {
  if (file === inMemory || !existsSync(file)) return null;
  try {
    return reader(file, new DatabaseSync(file, { readOnly: true }));
  } catch (error) {
    if (!isQuietAndUnwritable(file, error)) throw error;
    const address = pathToFileURL(file);
    address.searchParams.set('immutable', '1');
    return reader(file, new DatabaseSync(address, { readOnly: true }));
  }
}

function reader(file: string, opened: DatabaseSync): Connection | null {
  return closedOnFailure(opened, (db) => {
    refuseForeign(db, file);
    const version = pragma(db, 'user_version');
    if (version > migrations.length) throw newerLayout(file, version, migrations.length);
    if (version === migrations.length) return connection(file, db);
    db.close();
    if (version === 0) return null;
    throw ledgerUnwritable(
      file,
      `its layout (${version}) is an old one, which a command that writes brings up to date`,
    );
  });
}

/** In a read-only folder SQLite cannot create its side files; without a write-ahead log there is no writer either. */
function isQuietAndUnwritable(file: string, error: unknown): boolean {
  const primary = (sqliteCode(error) ?? 0) & 0xff;
  if (primary !== 14 && primary !== 8) return false;
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

function connection(file: string, db: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  const inode = inodeOf(file);
  const assertInPlace = (): void => {
    if (inodeOf(file) !== inode) throw ledgerUnwritable(file, 'it was removed or exchanged while it was in use');
  };
  return { file, db, inode, prepare, assertInPlace };
}

function inodeOf(file: string): number | undefined {
  return file === inMemory ? undefined : statSync(file, { throwIfNoEntry: false })?.ino;
}

function closedOnFailure<T>(db: DatabaseSync, work: (db: DatabaseSync) => T): T {
  try {
    db.exec(`pragma busy_timeout = ${patience}`);
    return work(db);
  } catch (error) {
    if (db.isOpen) db.close();
    throw error;
  }
}

/** An empty file becomes a ledger. A ledger gets its application id in the transaction that creates its tables. */
function refuseForeign(db: DatabaseSync, file: string): void {
  if (pragma(db, 'application_id') === applicationId) return;
  const tables = db.prepare('select count(*) as tables from sqlite_schema').get()?.['tables'];
  // Another process may have created the tables since the id was read.
  if (tables === 0 || pragma(db, 'application_id') === applicationId) return;
  throw ledgerCorrupt(file, 'it is a database, but not one that Divisi made');
}

/**
 * SQLite does not wait for its lock here, so processes that create the same ledger at once may be turned away at
 * first.
 */
function logAhead(db: DatabaseSync, file: string): void {
  // Not `performance`, whose module takes 1.4 ms to load: every hook that records something opens a ledger.
  const until = process.uptime() + patience / 1000;
  for (;;) {
    try {
      const mode = db.prepare('pragma journal_mode = wal').get()?.['journal_mode'];
      if (mode === 'wal' || file === inMemory) return;
      throw ledgerUnwritable(file, 'its file system cannot hold a write-ahead log');
    } catch (error) {
      if (((sqliteCode(error) ?? 0) & 0xff) !== 5 || process.uptime() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
