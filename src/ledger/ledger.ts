/**
 * Ledger: the record of every event of every run of a project, in one SQLite file. Only this folder knows SQL.
 *
 * Promises: acknowledged events survive the death of the process and of the machine; a run's events are numbered from
 * 1 without gaps and never change; only the holder of a run's lease appends to it (`lease.ts`), everyone else leaves
 * rows in its inbox (`inbox.ts`); readers and the writer never wait for each other.
 */
import type { RunId } from '../base/ids.ts';
import type { InboxMessage } from './inbox-message.ts';
import { isSoundSnapshot } from '../core/state/snapshot-schema.ts';
import { conductedIn, type ConductedRun } from './conducting.ts';
import { checkRead } from './check-read.ts';
import { type Connection, connect, connectReader } from './connection.ts';
import type { Holder } from './holder.ts';
import { inRehearsal, inTransaction } from './in-transaction.ts';
import { emptyInbox, type Inbox, readInbox, tellRun } from './inbox.ts';
import { type Held, holderOf, type IsAlive, type Lease, takeLease } from './lease.ts';
import { guarded } from './ledger-fault.ts';
import { readEvents, type RecordedEvent } from './read-events.ts';
import { findRunRow, type RunFilter, type RunRow, runRows } from './run-rows.ts';
import { readSnapshot, saveSnapshot, type Snapshot } from './snapshots.ts';
import { taskListReader, type TaskList, openTaskList, type TaskListReader } from './task-list/task-list.ts';

export interface LedgerReader {
  readonly file: string;
  /** The events after this number, in order, read in pieces during iteration. */
  read(run: RunId, afterSeq?: number): Iterable<RecordedEvent>;
  /** Newest first. */
  runs(filter?: RunFilter): readonly RunRow[];
  /** Finds a run by its id or a prefix of it; null if there is none, RUN_UNKNOWN if there are several. */
  run(idOrPrefix: string): RunRow | null;
  /** The holder of the run's lease, alive or not. */
  holder(run: RunId): Held | null;
  /** The run that a conversation conducts or conducted last. */
  conducted(session: string): ConductedRun | null;
  inbox(run: RunId): Inbox;
  snapshot(run: RunId, core: number): Snapshot | null;
  /** The project's backlog tasks. */
  readonly taskList: TaskListReader;
  close(): void;
}

export interface Ledger extends LedgerReader {
  readonly taskList: TaskList;
  /** Throws LEASE_HELD while another living process holds the lease. */
  take(run: RunId, holder: Holder, isAlive: IsAlive): Lease;
  /** Leaves a row for the run's holder; returns its id. */
  tell(run: RunId, message: InboxMessage): number;
  /** Everything the work reads, takes and appends happens in one transaction. */
  atomically<T>(work: () => T): T;
  /** Nothing that the work writes is kept. Other writers wait meanwhile. */
  rehearse<T>(work: () => Promise<T>): Promise<T>;
  saveSnapshot(run: RunId, seq: number, core: number, body: string): void;
}

export interface LedgerOptions {
  readonly readOnly?: false;
  /** The wall clock, for the times of leases and inbox rows. */
  readonly now?: () => number;
  /**
   * Events are taken as they are: for a hook, whose steps are short and follow a process that has checked them, and for what only
   * shows a run.
   */
  readonly unchecked?: boolean;
}

interface ReaderOptions {
  readonly readOnly: true;
  readonly unchecked?: boolean;
}

/**
 * Creates the file and its folder if they are missing; `:memory:` keeps everything in memory. Read-only, nothing is
 * created or locked, and a missing file reads as a ledger without runs.
 */
export function openLedger(file: string, options: ReaderOptions): LedgerReader;
export function openLedger(file: string, options?: LedgerOptions): Ledger;
export function openLedger(file: string, options: LedgerOptions | ReaderOptions = {}): LedgerReader {
  if (options.readOnly) return lazyReader(file, options.unchecked);
  const connection = guarded(file, () => connect(file));
  const now = options.now ?? Date.now;
  const ledger: Ledger = {
    ...readerOf(file, () => connection, options.unchecked),
    taskList: openTaskList(connection, now),
    close: () => connection.db.close(),
    take: (run, holder, isAlive) => guarded(file, () => takeLease(connection, run, holder, isAlive, now())),
    tell: (run, message) => guarded(file, () => tellRun(connection, run, message, now())),
    rehearse: (work) => inRehearsal(connection.db, work),
    atomically: (work) => guarded(file, () => inTransaction(connection.db, work)),
    saveSnapshot: (run, seq, core, body) => guarded(file, () => saveSnapshot(connection, run, seq, core, body)),
  };
  return ledger;
}

/** Opens the file once it exists: a reader may follow a run before the run begins. */
function lazyReader(file: string, unchecked?: boolean): LedgerReader {
  let connection: Connection | null = null;
  const current = (): Connection | null => (connection ??= connectReader(file));
  guarded(file, current);
  return { ...readerOf(file, current, unchecked), close: () => connection?.db.close() };
}

function readerOf(file: string, current: () => Connection | null, unchecked = false): Omit<LedgerReader, 'close'> {
  const reading = <T>(nothing: T, work: (connection: Connection) => T): T =>
    guarded(file, () => {
      const connection = current();
      return connection === null ? nothing : work(connection);
    });
  return {
    file,
    read: (run, afterSeq = 0) =>
      reading<Iterable<RecordedEvent>>([], (from) =>
        readEvents(from, run, afterSeq, unchecked ? undefined : checkRead(from, run)),
      ),
    runs: (filter) => reading<readonly RunRow[]>([], (from) => runRows(from, filter)),
    run: (idOrPrefix) => reading<RunRow | null>(null, (from) => findRunRow(from, idOrPrefix)),
    holder: (run) => reading<Held | null>(null, (from) => holderOf(from, run)),
    conducted: (session) => reading<ConductedRun | null>(null, (from) => conductedIn(from.db, session)),
    inbox: (run) => reading(emptyInbox, (from) => readInbox(from, run)),
    snapshot: (run, core) =>
      reading<Snapshot | null>(null, (from) => {
        const found = readSnapshot(from, run, core);
        return found === null || unchecked || isSoundSnapshot(found.body) ? found : null;
      }),
    taskList: taskListReader(file, current),
  };
}
