/**
 * The list of runs: one row each, written in the transaction that appends the event that changes it. Derived from
 * events, and can be rebuilt from them.
 */
import { type RunKind, runKind, workflowAs } from '../core/event/run-kind.ts';
import { divisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunStatus } from '../core/state/state.ts';
import type { Connection } from './connection.ts';

export interface RunRow {
  readonly run: RunId;
  /** Milliseconds, wall clock, like `changed`. */
  readonly created: number;
  /** The number of events. */
  readonly head: number;
  readonly title: string;
  readonly planFile: string;
  readonly status: RunStatus;
  readonly changed: number;
  readonly kind: RunKind;
  /** The backlog task of a task command; null for other runs. */
  readonly task: number | null;
}

export function projectRun(connection: Connection, run: RunId, events: readonly RunEvent[]): void {
  let status: RunStatus | null = null;
  let planFile: string | null = null;
  let session: string | null = null;
  for (const event of events) {
    if (event.kind === 'run.created') insertRow(connection, run, event);
    else if (event.kind === 'run.started') status = 'running';
    else if (event.kind === 'run.paused') status = 'paused';
    else if (event.kind === 'run.ended') status = event.status;
    else if (event.kind === 'run.conducted') session = event.session;
    else if (event.kind === 'plan.written' || event.kind === 'plan.changed') planFile = event.file;
  }
  if (status === null && planFile === null && session === null) return;
  connection
    .prepare(
      `update runs set status = coalesce(?, status), plan_file = coalesce(?, plan_file),
       session = coalesce(?, session) where run = ?`,
    )
    .run(status, planFile, session, run);
}

function insertRow(connection: Connection, run: RunId, event: Extract<RunEvent, { kind: 'run.created' }>): void {
  connection
    .prepare(
      `insert into runs(run, created, title, plan_file, kind, task, status) values(?, ?, ?, ?, ?, ?, 'planning')`,
    )
    .run(
      run,
      event.at,
      event.plan.title,
      event.plan.file,
      runKind(event),
      workflowAs(event, 'command')?.number ?? null,
    );
}

const last = 'from events where events.run = runs.run order by seq desc limit 1';
const columns = `run, created, (select seq ${last}) as head, title, plan_file as planFile, status, kind, task,
  (select json_extract(body, '$.at') ${last}) as changed`;

export interface RunFilter {
  readonly kind?: RunKind;
  /** The number of a backlog task. */
  readonly task?: number;
}

/** Newest first. */
export function runRows(connection: Connection, { kind, task }: RunFilter = {}): RunRow[] {
  const wanted = [...(kind === undefined ? [] : ['kind = ?']), ...(task === undefined ? [] : ['task = ?'])];
  const where = wanted.length === 0 ? '' : ` where ${wanted.join(' and ')}`;
  const values = [kind, task].filter((one) => one !== undefined);
  const rows = connection.prepare(`select ${columns} from runs${where} order by created desc, run desc`).all(...values);
  return rows.map((row) => ({ ...row }) as unknown as RunRow);
}

/** Matches the whole id or a unique prefix; `run_` and case may be omitted. */
export function findRunRow(connection: Connection, idOrPrefix: string): RunRow | null {
  const beginning = `run_${idOrPrefix.replace(/^run_/i, '').toUpperCase()}`;
  const rows = connection
    .prepare(`select ${columns} from runs where substr(run, 1, length(?1)) = ?1 order by run limit 5`)
    .all(beginning)
    .map((row) => ({ ...row }) as unknown as RunRow);
  const [row, ...others] = rows;
  if (row === undefined) return null;
  if (others.length === 0) return row;
  throw divisiError('RUN_UNKNOWN', {
    message: `more than one run id begins with ${beginning}`,
    expected: 'a unique prefix of the id',
    got: rows.map(({ run }) => run).join(', '),
    next: 'Use a longer prefix; `divisi list` shows the ids.',
    ids: { run: beginning },
  });
}
