/** Pragma: reads a number that SQLite keeps in the ledger's file. */
import type { DatabaseSync } from 'node:sqlite';

export function pragma(db: DatabaseSync, name: 'user_version' | 'application_id' | 'data_version'): number {
  return Number(db.prepare(`pragma ${name}`).get()?.[name]);
}
