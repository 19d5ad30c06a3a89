/** Writes a row into the inbox of a run without validating it; the reader does (`inbox.ts`). */
import type { RunId } from '../base/ids.ts';
import { type Connection, connect } from './connection.ts';
import type { InboxMessage } from './inbox-message.ts';
import { guarded } from './ledger-fault.ts';

/** Returns the row's id. */
export function leaveMessage(connection: Connection, run: RunId, message: InboxMessage, now: number): number {
  const { lastInsertRowid } = connection
    .prepare('insert into inbox(run, at, body) values(?, ?, ?)')
    .run(run, now, JSON.stringify(message));
  return Number(lastInsertRowid);
}

/** For a process that does nothing else with the ledger. */
export function leaveOneMessage(file: string, run: RunId, message: InboxMessage, now: number): void {
  guarded(file, () => {
    const connection = connect(file);
    try {
      leaveMessage(connection, run, message, now);
    } finally {
      connection.db.close();
    }
  });
}
