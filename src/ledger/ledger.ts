/**
 * The record of every event of every run of a project, in one SQLite file. This folder is the only one that knows SQL.
 *
 * Promises: what `append` acknowledged survives the death of the process and of the machine; the events of a run are numbered
 * from 1 without a gap and never change; only the holder of a run's lease appends to it (`lease.ts`), everyone else leaves rows
 * in its inbox (`inbox.ts`); a reader never waits for the writer, nor the writer for a reader.
 */
import type { RunId } from '../base/ids.ts';
import { type InboxMessage } from './inbox-message.ts';
import { conductedIn, type ConductedRun } from './conducting.ts';
import { type Connection, connect, connectReader } from './connection.ts';
import type { Holder } from './holder.ts';
import { inTransaction } from './in-transaction.ts';
import { emptyInbox, type Inbox, readInbox, tellRun } from './inbox.ts';
import { type Held, holderOf, type IsAlive, type Lease, takeLease } from './lease.ts';
import { guarded } from './ledger-fault.ts';
import { readEvents, type RecordedEvent } from './read-events.ts';
import { findRunRow, type RunFilter, type RunRow, runRows } from './run-rows.ts';
import { readSnapshot, saveSnapshot, type Snapshot } from './snapshots.ts';
import { taskListReader, type TaskList, openTaskList, type TaskListReader } from './task-list/task-list.ts';

export interface LedgerReader {
  readonly file: string;
  /** The events after this number, in order; read in pieces while one goes through them. */
  read(run: RunId, afterSeq?: number): Iterable<RecordedEvent>;
  /** The newest first. */
  runs(filter?: RunFilter): readonly RunRow[];
  /** By its id or a beginning of it; null when there is none, RUN_UNKNOWN when there is more than one. */
  run(idOrPrefix: string): RunRow | null;
  /** Who holds the run's lease, whether that process still lives or not. */
  holder(run: RunId): Held | null;
  /** The run that a conversation conducts, or conducted last. */
  conducted(session: string): ConductedRun | null;
  inbox(run: RunId): Inbox;
  snapshot(run: RunId, core: number): Snapshot | null;
  /** The backlog tasks of the project. */
  readonly taskList: TaskListReader;
  close(): void;
}

export interface Ledger extends LedgerReader {
  readonly taskList: TaskList;
  /** Refused (LEASE_HELD) while another process that is alive holds it. */
  take(run: RunId, holder: Holder, isAlive: IsAlive): Lease;
  /** Leaves a row for whoever holds the run; gives its id. */
  tell(run: RunId, message: InboxMessage): number;
  /** What is read, taken and appended in the work happens as one: all of it or nothing, with nobody in between. */
  atomically<T>(work: () => T): T;
  saveSnapshot(run: RunId, seq: number, core: number, body: string): void;
}

export interface LedgerOptions {
  readonly readOnly?: false;
  /** The wall clock, for the times of leases and of rows in the inbox. */
  readonly now?: () => number;
}

/**
 * Makes the file and its folder when they are not there; `:memory:` keeps everything in memory. Read only, nothing is made
 * and nothing is locked, and a file that is not there (yet) reads as a ledger without runs.
 */
export function openLedger(file: string, options: { readonly readOnly: true }): LedgerReader;
export function openLedger(file: string, options?: LedgerOptions): Ledger;
export function openLedger(file: string, options: LedgerOptions | { readonly readOnly: true } = {}): LedgerReader {
  if (options.readOnly) return lazyReader(file);
  const connection = guarded(file, () => connect(file));
  const now = options.now ?? Date.now;
  const ledger: Ledger = {
    ...readerOf(file, () => connection),
    taskList: openTaskList(connection, now),
    close: () => connection.db.close(),
    take: (run, holder, isAlive) => guarded(file, () => takeLease(connection, run, holder, isAlive, now())),
    tell: (run, message) => guarded(file, () => tellRun(connection, run, message, now())),
    atomically: (work) => guarded(file, () => inTransaction(connection.db, work)),
    saveSnapshot: (run, seq, core, body) => guarded(file, () => saveSnapshot(connection, run, seq, core, body)),
  };
  return ledger;
}

/** Opens the file when there is something in it: whoever follows a run may be there before the run. */
function lazyReader(file: string): LedgerReader {
  let connection: Connection | null = null;
  const current = (): Connection | null => (connection ??= connectReader(file));
  guarded(file, current);
  return { ...readerOf(file, current), close: () => connection?.db.close() };
}

function readerOf(file: string, current: () => Connection | null): Omit<LedgerReader, 'close'> {
  const reading = <T>(nothing: T, work: (connection: Connection) => T): T =>
    guarded(file, () => {
      const connection = current();
      return connection === null ? nothing : work(connection);
    });
  return {
    file,
    read: (run, afterSeq = 0) => reading<Iterable<RecordedEvent>>([], (from) => readEvents(from, run, afterSeq)),
    runs: (filter) => reading<readonly RunRow[]>([], (from) => runRows(from, filter)),
    run: (idOrPrefix) => reading<RunRow | null>(null, (from) => findRunRow(from, idOrPrefix)),
    holder: (run) => reading<Held | null>(null, (from) => holderOf(from, run)),
    conducted: (session) => reading<ConductedRun | null>(null, (from) => conductedIn(from.db, session)),
    inbox: (run) => reading(emptyInbox, (from) => readInbox(from, run)),
    snapshot: (run, core) => reading<Snapshot | null>(null, (from) => readSnapshot(from, run, core)),
    taskList: taskListReader(file, current),
  };
}
