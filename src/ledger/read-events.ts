/**
 * Reads a run's events in order and in pieces: nothing is locked between two pieces, and only one is in memory.
 *
 * This file checks what time and other versions can do to a file: a missing number, invalid JSON, an unknown kind. What else an
 * event must be is the caller's `check`.
 */
import { isObject } from '../base/json-value.ts';
import type { RunId } from '../base/ids.ts';
import type { RunEvent } from '../core/event/event.ts';
import { eventKinds } from '../core/event/event-kinds.ts';
import type { CheckRead } from './check-read.ts';
import type { Connection } from './connection.ts';
import { guarded, ledgerCorrupt, ledgerNewer } from './ledger-fault.ts';

export type RecordedEvent = { readonly seq: number } & RunEvent;

/** Rows per piece: many, since parsing their bodies as one text takes half the time. */
const piece = 256;

const known = new Set<unknown>(eventKinds);

type Row = readonly [seq: number, body: string];

export function* readEvents(
  connection: Connection,
  run: RunId,
  afterSeq: number,
  check?: CheckRead,
): Generator<RecordedEvent, void> {
  const { file } = connection;
  for (let after = afterSeq; ; after += piece) {
    const events = guarded(file, () => readPiece(connection, run, after, check));
    yield* events;
    if (events.length < piece) return;
  }
}

function readPiece(connection: Connection, run: RunId, after: number, check?: CheckRead): RecordedEvent[] {
  const { file } = connection;
  const statement = connection.prepare(
    `select seq, body from events where run = ? and seq > ? order by seq limit ${piece}`,
  );
  statement.setReturnArrays(true);
  const rows = statement.all(run, after) as unknown as readonly Row[];
  const events = parseBodies(file, run, rows);
  for (const [index, event] of events.entries()) {
    const seq = rows[index]?.[0];
    if (seq !== after + index + 1) throw ledgerCorrupt(file, `event ${after + index + 1} of ${run} is missing`);
    const { kind, version } = event;
    if (!known.has(kind) || version !== 1) {
      throw ledgerNewer(
        file,
        `event ${seq} of ${run}: ${String(kind)}, version ${String(version)}`,
        'events this Divisi knows',
      );
    }
    check?.(event, seq);
    event['seq'] = seq;
  }
  return events as unknown as RecordedEvent[];
}

type Parsed = Record<string, unknown>;

function parseBodies(file: string, run: RunId, rows: readonly Row[]): readonly Parsed[] {
  try {
    const bodies: unknown = JSON.parse(`[${rows.map((row) => row[1]).join(',')}]`);
    if (Array.isArray(bodies) && bodies.length === rows.length && bodies.every(isObject)) return bodies;
  } catch {
    // One of them is broken: parse them one by one.
  }
  return rows.map(([seq, body]) => {
    try {
      const parsed: unknown = JSON.parse(body);
      if (isObject(parsed)) return parsed;
    } catch (cause) {
      throw ledgerCorrupt(file, `event ${seq} of ${run} cannot be read`, cause);
    }
    throw ledgerCorrupt(file, `event ${seq} of ${run} is not a record`);
  });
}
