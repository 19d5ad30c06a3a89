import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { alive, aRun, created, holder } from '../../tests/ledger/sample-events.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import type { InboxMessage } from './inbox-message.ts';
import { openLedger } from './ledger.ts';

const folder = temporaryFolders();

describe('the inbox of a run', () => {
  it('keeps messages in order, for that run alone, without a lease', () => {
    const ledger = openLedger(':memory:', { now: () => 5 });
    const [run, other] = [aRun(), aRun()];
    const messages: InboxMessage[] = [
      { kind: 'answer', checkpoint: 'after-1', approved: false, note: 'not "yet"\n' },
      { kind: 'pause' },
      { kind: 'answer', checkpoint: 'after-1', approved: true },
      { kind: 'cancel' },
    ];
    const ids = messages.map((message) => ledger.tell(run, message));
    ledger.tell(other, { kind: 'pause' });
    expect(ledger.inbox(run)).toEqual({
      rows: messages.map((message, at) => ({ id: ids[at], at: 5, message })),
      unreadable: [],
    });
    ledger.close();
  });

  it.each([
    { kind: 'sing' },
    { kind: 'pause', why: 'tired' },
    { kind: 'answer', checkpoint: '', approved: true },
    { kind: 'answer', checkpoint: 'a', approved: 'yes' },
  ])('takes no %j', (message) => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    expect(() => ledger.tell(run, message as InboxMessage)).toThrow(expect.objectContaining({ code: 'EVENT_INVALID' }));
    expect(ledger.inbox(run).rows).toEqual([]);
    ledger.close();
  });

  it('passes over rows it cannot read, says which, and lets them be consumed', () => {
    const file = join(folder(), 'ledger.db');
    const ledger = openLedger(file);
    const run = aRun();
    const first = ledger.tell(run, { kind: 'pause' });
    const db = new DatabaseSync(file);
    for (const body of ['{', '{"kind":"sing"}', 'null', '[]']) {
      db.prepare('insert into inbox(run, at, body) values(?, 1, ?)').run(run, body);
    }
    db.close();
    const last = ledger.tell(run, { kind: 'cancel' });
    const { rows, unreadable } = ledger.inbox(run);
    expect(rows.map(({ id }) => id)).toEqual([first, last]);
    expect(unreadable).toEqual([first + 1, first + 2, first + 3, first + 4]);
    ledger.take(run, holder(1), alive).append([created(run)], unreadable);
    expect(ledger.inbox(run)).toEqual({ rows, unreadable: [] });
    ledger.close();
  });

  it('never gives an id again', () => {
    const ledger = openLedger(':memory:');
    const run = aRun();
    const id = ledger.tell(run, { kind: 'pause' });
    ledger.take(run, holder(1), alive).append([created(run)], [id]);
    expect(ledger.tell(run, { kind: 'pause' })).toBe(id + 1);
    ledger.close();
  });
});
