/**
 * Finds the run a conversation conducts. Hooks ask at every step of a client, so this loads almost nothing and
 * creates nothing.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { RunId } from '../base/ids.ts';

export interface ConductedRun {
  readonly run: RunId;
  /** True while the run is neither paused nor over: the conductor's restrictions apply only then. */
  readonly isAtWork: boolean;
  /** Relative to the project. */
  readonly planFile: string;
}

/** The newest of this session; null without a ledger, without tables in it, or without such a run. */
export function conductedRun(file: string, session: string): ConductedRun | null {
  if (session === '' || !existsSync(file)) return null;
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.exec('pragma busy_timeout = 5000');
    const layout = Number(db.prepare('pragma user_version').get()?.['user_version']);
    return layout === 0 ? null : conductedIn(db, session);
  } finally {
    db.close();
  }
}

export function conductedIn(db: DatabaseSync, session: string): ConductedRun | null {
  const row = db
    .prepare(
      `select run, status in ('planning', 'running') as at_work, plan_file from runs where session = ?
       order by at_work desc, created desc limit 1`,
    )
    .get(session);
  if (row === undefined) return null;
  return { run: row['run'] as RunId, isAtWork: row['at_work'] === 1, planFile: String(row['plan_file']) };
}
