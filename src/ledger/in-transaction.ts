/** Runs work in one transaction on one connection. */
import type { DatabaseSync } from 'node:sqlite';

/**
 * Takes the write lock at once (waiting up to the connection's timeout), so that what the work reads is still true
 * when it writes. When this returns, the work is on disk; when it throws, none of it is.
 */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  // A nested transaction becomes durable with the outer one.
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

/** Rolls everything back at the end: for a dry run. */
export async function inRehearsal<T>(db: DatabaseSync, work: () => Promise<T>): Promise<T> {
  db.exec('begin immediate');
  try {
    return await work();
  } finally {
    undo(db);
  }
}

/** SQLite rolls back automatically after some failures; the first error is the one that counts. */
function undo(db: DatabaseSync): void {
  if (!db.isTransaction) return;
  try {
    db.exec('rollback');
  } catch {
    // The connection is unusable; its next user gets the error.
  }
}
