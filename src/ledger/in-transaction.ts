/** All or nothing, on one connection. */
import type { DatabaseSync } from 'node:sqlite';

/**
 * Takes the write lock at once (waiting for it as long as the connection's timeout allows), so that what is read inside is
 * still true when it is written. When this returns, the work is on the disk; when it throws, none of it is.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  // A part of a larger one is durable when that one is.
  if (db.isTransaction) return work();
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    undo(db);
    throw error;
  }
}

/** SQLite has already gone back on its own after some failures; the first error is the one that counts. */
function undo(db: DatabaseSync): void {
  if (!db.isTransaction) return;
  try {
    db.exec('rollback');
  } catch {
    // The connection is of no more use; whoever uses it next is told.
  }
}
