/**
 * A state of a run as text, kept to spare the reading of what came before it. Never needed: the events alone give the same
 * state, and a snapshot may be thrown away at any time. It is good only for the version of the core that wrote it.
 */
import type { RunId } from '../base/ids.ts';
import type { Connection } from './connection.ts';

export interface Snapshot {
  /** The last event that the state has in it. */
  readonly seq: number;
  readonly body: string;
}

/** One for each run; an older one never takes the place of a newer one of the same core. */
export function saveSnapshot(connection: Connection, run: RunId, seq: number, core: number, body: string): void {
  connection
    .prepare(
      `insert into snapshots(run, seq, core, body) values(?, ?, ?, ?) on conflict(run)
       do update set seq = excluded.seq, core = excluded.core, body = excluded.body
       where excluded.seq >= seq or excluded.core <> core`,
    )
    .run(run, seq, core, body);
}

/** One that is ahead of the events is not for this ledger, and is passed over. */
export function readSnapshot(connection: Connection, run: RunId, core: number): Snapshot | null {
  const row = connection
    .prepare(
      `select seq, body from snapshots where run = ?1 and core = ?2
       and seq <= (select max(seq) from events where run = ?1)`,
    )
    .get(run, core);
  return row === undefined ? null : { seq: Number(row['seq']), body: String(row['body']) };
}
