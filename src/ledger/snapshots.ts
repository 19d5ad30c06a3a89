/**
 * Stores a run's state as text, which saves reading the events before it. Optional: the events alone give the same
 * state, and a snapshot may be deleted at any time. Valid only for the core version that wrote it.
 */
import type { RunId } from '../base/ids.ts';
import type { Connection } from './connection.ts';

export interface Snapshot {
  /** The last event included in the state. */
  readonly seq: number;
  readonly body: string;
}

/** One per run; an older one never replaces a newer one of the same core version. */
export function saveSnapshot(connection: Connection, run: RunId, seq: number, core: number, body: string): void {
  connection
    .prepare(
      `insert into snapshots(run, seq, core, body) values(?, ?, ?, ?) on conflict(run)
       do update set seq = excluded.seq, core = excluded.core, body = excluded.body
       where excluded.seq >= seq or excluded.core <> core`,
    )
    .run(run, seq, core, body);
}

/** A snapshot that is ahead of the events does not belong to this ledger and is ignored. */
export function readSnapshot(connection: Connection, run: RunId, core: number): Snapshot | null {
  const row = connection
    .prepare(
      `select seq, body from snapshots where run = ?1 and core = ?2
       and seq <= (select max(seq) from events where run = ?1)`,
    )
    .get(run, core);
  return row === undefined ? null : { seq: Number(row['seq']), body: String(row['body']) };
}
