import type { DatabaseSync } from 'node:sqlite';

/** The value of a pragma that is a number. */
export function pragma(db: DatabaseSync, name: 'user_version' | 'application_id' | 'data_version'): number {
  return Number(db.prepare(`pragma ${name}`).get()?.[name]);
}
