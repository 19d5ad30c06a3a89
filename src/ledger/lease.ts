/**
 * Lease: the right to append to a run, held by one process at a time.
 *
 * Each acquisition gets a higher token, and every append checks the token in the transaction that writes: a holder
 * that was suspended, presumed dead and replaced is refused and writes nothing. A released lease keeps its row, so
 * that tokens only grow.
 */
import { DivisiError, divisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { checkEvent, type RunEvent } from '../core/event/event.ts';
import type { Connection } from './connection.ts';
import { describeHolder, type Holder, isSameProcess, parseHolder } from './holder.ts';
import { inTransaction } from './in-transaction.ts';
import { guarded, ledgerCorrupt } from './ledger-fault.ts';
import { projectRun } from './run-rows.ts';

export interface Lease {
  readonly run: RunId;
  readonly token: number;
  /** The number of events; the next event gets the number after it. */
  readonly head: number;
  /**
   * Appends the events in order and deletes the consumed inbox rows, all or nothing. On disk when this returns;
   * returns the new head. After an error nothing was written, and the call may be repeated.
   */
  append(events: readonly RunEvent[], consumed?: readonly number[]): number;
  /** Lets another process take the run at once. Does nothing if the lease is already gone. */
  release(): void;
}

export interface Held {
  readonly holder: Holder;
  /** Milliseconds, wall clock. */
  readonly since: number;
}

export type IsAlive = (holder: Holder) => boolean;

/** The process that holds a lease may take it again, which ends its earlier lease. */
export function takeLease(connection: Connection, run: RunId, holder: Holder, isAlive: IsAlive, now: number): Lease {
  return inTransaction(connection.db, () => {
    const held = holderOf(connection, run);
    if (held && !isSameProcess(held.holder, holder) && isAlive(held.holder)) throw leaseHeld(run, held);
    const row = connection
      .prepare(
        `insert into leases(run, token, holder, since) values(?, 1, ?, ?) on conflict(run)
         do update set token = token + 1, holder = excluded.holder, since = excluded.since returning token`,
      )
      .get(run, JSON.stringify(holder), now);
    return lease(connection, run, Number(row?.['token']));
  });
}

/** The holder of the run's lease, alive or not; null if there is none. */
export function holderOf(connection: Connection, run: RunId): Held | null {
  const row = connection.prepare('select holder, since from leases where run = ? and holder is not null').get(run);
  if (row === undefined) return null;
  const holder = readHolder(String(row['holder']));
  if (holder instanceof Error) throw ledgerCorrupt(connection.file, `who holds ${run} cannot be read`, holder);
  return { holder, since: Number(row['since']) };
}

function readHolder(text: string): Holder | Error {
  try {
    return parseHolder(text) ?? new Error('it is not a process');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function lease(connection: Connection, run: RunId, token: number): Lease {
  const { file, db } = connection;
  const insert = connection.prepare('insert into events(run, seq, body) values(?, ?, ?)');
  const consume = connection.prepare('delete from inbox where run = ? and id = ?');
  let head = headOf(connection, run);

  function append(events: readonly RunEvent[], consumed: readonly number[] = []): number {
    // Validated without keeping the parsed copies: a large plan would stay in memory until the commit ends.
    for (const [at, event] of events.entries()) checkPlace(run, head + at, checkEvent(event));
    if (events.length + consumed.length === 0) return head;
    guarded(file, () =>
      inTransaction(db, () => {
        assertHeld(connection, run, token, head);
        for (const [at, event] of events.entries()) insert.run(run, head + at + 1, JSON.stringify(event));
        for (const id of consumed) consume.run(run, id);
        projectRun(connection, run, events);
      }),
    );
    head += events.length;
    return head;
  }

  function release(): void {
    guarded(file, () => {
      connection.prepare('update leases set holder = null where run = ? and token = ?').run(run, token);
    });
  }

  return {
    run,
    token,
    get head() {
      return head;
    },
    append,
    release,
  };
}

function headOf(connection: Connection, run: RunId): number {
  return Number(connection.prepare('select max(seq) as head from events where run = ?').get(run)?.['head'] ?? 0);
}

function assertHeld(connection: Connection, run: RunId, token: number, expected: number): void {
  connection.assertInPlace();
  const row = connection.prepare('select token, holder from leases where run = ?').get(run);
  const held = row?.['token'] === token && row['holder'] !== null;
  const head = headOf(connection, run);
  if (held && head === expected) return;
  const other = holderOf(connection, run);
  const gone = other ? `${describeHolder(other.holder)} holds it now` : 'it was released';
  const why = held ? `the ledger has ${head} events where ${expected} were expected` : gone;
  throw divisiError('LEASE_LOST', {
    message: `this process no longer holds ${run}: ${why}`,
    next: 'Stop working on the run here; nothing was written. `divisi status` shows how the run continues.',
    ids: { run, token },
  });
}

/** A run begins with exactly one `run.created`: the list of runs depends on it. */
function checkPlace(run: RunId, before: number, event: RunEvent): RunEvent {
  const opens = event.kind === 'run.created';
  if (opens === (before === 0) && (!opens || event.run === run)) return event;
  throw divisiError('EVENT_INVALID', {
    message: `${event.kind} cannot be event ${before + 1} of ${run}: a run begins with exactly one run.created`,
    next: 'This is a bug in Divisi; nothing was written. Please report it with this message.',
    ids: { run, kind: event.kind, seq: before + 1 },
  });
}

function leaseHeld(run: RunId, { holder, since }: Held): DivisiError {
  const time = new Date(since).toISOString();
  return divisiError('LEASE_HELD', {
    message: `${run} is held by ${describeHolder(holder)} since ${time}`,
    expected: 'a run that no living process is driving',
    got: describeHolder(holder),
    next: `Wait for it, or end it (divisi pause, divisi cancel, or stop process ${holder.pid} on its machine) and try again. If that machine is gone: --take-over.`,
    retryable: true,
    ids: { run, pid: holder.pid, host: holder.host, since: time },
  });
}
