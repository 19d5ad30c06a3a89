/** Which run a conversation conducts. Asked at every step of a client, so it loads next to nothing and makes nothing. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { RunId } from '../contracts/ids.ts';

/** Null where there is no ledger, an older one, or no unfinished run that this session conducts. */
export function conductedRun(file: string, session: string): RunId | null {
  if (session === '' || !existsSync(file)) return null;
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.exec('pragma busy_timeout = 5000');
    if (Number(db.prepare('pragma user_version').get()?.['user_version']) < 2) return null;
    const row = db
      .prepare(
        `select run from runs where session = ? and status not in ('completed', 'failed', 'cancelled')
         order by created desc limit 1`,
      )
      .get(session);
    return (row?.['run'] as RunId | undefined) ?? null;
  } finally {
    db.close();
  }
}
