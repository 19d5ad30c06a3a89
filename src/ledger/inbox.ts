/**
 * The inbox of a run: rows that any process may leave and the holder of the lease turns into events, deleting them in
 * the same commit. Nothing is lost while no holder is there, and nothing is consumed twice.
 */
import { type InboxMessage, inboxMessageSchema } from './inbox-message.ts';
import { divisiError } from '../base/error.ts';
import type { RunId } from '../base/ids.ts';
import { inWords } from '../base/schema-words.ts';
import type { Connection } from './connection.ts';
import { leaveMessage } from './leave-message.ts';

export interface InboxRow {
  readonly id: number;
  /** Milliseconds, wall clock. */
  readonly at: number;
  readonly message: InboxMessage;
}

export interface Inbox {
  /** In the order they were written. */
  readonly rows: readonly InboxRow[];
  /** Ids of rows that are not valid messages of this version; they may be consumed like the others. */
  readonly unreadable: readonly number[];
}

export const emptyInbox: Inbox = { rows: [], unreadable: [] };

/** Returns the row's id. */
export function tellRun(connection: Connection, run: RunId, message: InboxMessage, now: number): number {
  const parsed = inboxMessageSchema().safeParse(message, inWords);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw divisiError('EVENT_INVALID', {
      message: `not a message for a run: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? ''}`,
      next: 'Correct the message; nothing was written.',
      ids: { run },
    });
  }
  return leaveMessage(connection, run, parsed.data, now);
}

export function readInbox(connection: Connection, run: RunId): Inbox {
  const rows: InboxRow[] = [];
  const unreadable: number[] = [];
  for (const row of connection.prepare('select id, at, body from inbox where run = ? order by id').all(run)) {
    const id = Number(row['id']);
    const message = parseMessage(String(row['body']));
    if (message === undefined) unreadable.push(id);
    else rows.push({ id, at: Number(row['at']), message });
  }
  return { rows, unreadable };
}

function parseMessage(body: string): InboxMessage | undefined {
  try {
    return inboxMessageSchema().safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
