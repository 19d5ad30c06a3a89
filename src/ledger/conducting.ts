/** Which run a conversation conducts. Hooks ask at every step of a client, so this loads next to nothing and makes nothing. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { RunId } from '../contracts/ids.ts';

/** The layout that brought conversations. */
const since = 2;

/** Null where there is no ledger, an older one, or no run at work that this session conducts. */
export function conductedRun(file: string, session: string): RunId | null {
  if (session === '' || !existsSync(file)) return null;
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.exec('pragma busy_timeout = 5000');
    const layout = Number(db.prepare('pragma user_version').get()?.['user_version']);
    return layout < since ? null : conductedIn(db, session);
  } finally {
    db.close();
  }
}

export function conductedIn(db: DatabaseSync, session: string): RunId | null {
  const row = db
    .prepare(
      `select run from runs where session = ? and status in ('planning', 'running') order by created desc limit 1`,
    )
    .get(session);
  return (row?.['run'] as RunId | undefined) ?? null;
}
