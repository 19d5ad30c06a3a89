import type { DatabaseSync } from 'node:sqlite';

/** Reads a numeric pragma. */
export function pragma(db: DatabaseSync, name: 'user_version' | 'application_id' | 'data_version'): number {
  return Number(db.prepare(`pragma ${name}`).get()?.[name]);
}
