import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import type { TaskStatus } from '../../todo/task-status.ts';
import { applyToTask, type BookedTask, type BookEvent } from './book-event.ts';
import { type Ledger, openLedger } from '../ledger.ts';

const folder = temporaryFolders();
const person = { by: 'person' } as const;
const command = { by: 'command', run: 'run_1' } as const;

function opened(): Ledger {
  let now = Date.UTC(2026, 10, 16);
  return openLedger(':memory:', { now: () => (now += 1000) });
}

describe('the task book', () => {
  it('gives numbers in order, and never one again', () => {
    const { book } = opened();
    expect([book.next(), book.add({ title: 'a' }, person).number, book.add({ title: 'b' }, person).number]).toEqual([
      1, 1, 2,
    ]);
    book.add({ title: 'imported', number: 40 }, { by: 'file' });
    expect(book.next()).toBe(41);
    book.takeNumbers(246, { by: 'file' });
    book.takeNumbers(100, { by: 'file' });
    expect(book.add({ title: 'c' }, person).number).toBe(246);
    expect(() => book.add({ title: 'again', number: 40 }, person)).toThrow('there is a task 40 already');
  });

  it('fills in what a draft leaves out', () => {
    const { book } = opened();
    const at = '2026-11-16T00:00:01.000Z';
    expect(book.add({ title: 'a', effort: '2 hours' }, person)).toEqual({
      number: 1,
      title: 'a',
      description: '',
      status: 'not started',
      language: 'general',
      effort: '2 hours',
      artifacts: [],
      created: at,
      updated: at,
    });
  });

  it('refuses a change that may not follow, with what may', () => {
    const { book } = opened();
    book.add({ title: 'a', number: 12, status: 'completed' }, { by: 'file' });
    expect(() => book.change(12, { status: 'researching' }, command)).toThrow(
      expect.objectContaining({
        code: 'TASK_TRANSITION',
        message: 'task 12 is completed and cannot become researching',
        expected: 'nothing follows after completed',
      }),
    );
    expect(() => book.change(999, { status: 'researching' }, command)).toThrow(
      expect.objectContaining({ code: 'TASK_UNKNOWN', message: 'task 999 is not in the task book' }),
    );
    expect(book.history(12)).toHaveLength(1);
  });

  it('knows when a task was completed, and forgets a reason that no longer holds', () => {
    const { book } = opened();
    book.add({ title: 'a' }, person);
    expect(book.change(1, { status: 'blocked', reason: 'no key' }, person).reason).toBe('no key');
    const working = book.change(1, { status: 'implementing' }, command);
    expect(working).not.toHaveProperty('reason');
    const done = book.change(1, { status: 'completed' }, command);
    expect(done.completed).toBe(done.updated);
    expect(done.updated > working.updated).toBe(true);
  });

  it('does nothing where nothing changes', () => {
    const { book } = opened();
    const task = book.add({ title: 'a' }, person);
    expect(book.change(1, { status: 'not started', title: 'a', artifacts: [] }, command)).toEqual(task);
    expect(book.history(1)).toHaveLength(1);
  });

  it('takes away what is given as undefined', () => {
    const { book } = opened();
    book.add({ title: 'a', effort: '2 hours' }, person);
    expect(book.change(1, { effort: undefined }, person)).not.toHaveProperty('effort');
  });

  it('undoes a status, and only the last one', () => {
    const { book } = opened();
    book.add({ title: 'a' }, person);
    book.change(1, { status: 'researching' }, command);
    book.change(1, { title: 'b' }, person);
    expect(() => book.change(1, { status: 'not started' }, command)).toThrow('cannot become not started');
    expect(() => book.change(1, { status: 'planned' }, { ...command, undo: true })).toThrow('cannot become planned');
    expect(book.change(1, { status: 'not started' }, { ...command, undo: true }).status).toBe('not started');
  });

  it('puts away what is over, and takes it out again when it is opened again', () => {
    const { book } = opened();
    for (const title of ['a', 'b', 'c']) book.add({ title }, person);
    book.change(2, { status: 'abandoned' }, person);
    expect(() => book.archive([2, 3], person)).toThrow('task 3 is not started and cannot be put away');
    expect(book.tasks()).toHaveLength(3);
    expect([book.archive([2], person), book.archive([2], person)]).toEqual([[2], []]);
    expect(book.tasks().map(({ number }) => number)).toEqual([1, 3]);
    expect(book.tasks({ archived: true, status: 'abandoned' }).map(({ number }) => number)).toEqual([2]);
    expect([book.isArchived(2), book.task(2)?.title]).toEqual([true, 'b']);
    book.change(2, { status: 'not started' }, person);
    expect(book.isArchived(2)).toBe(false);
  });

  it('lists the parts of a task', () => {
    const { book } = opened();
    book.add({ title: 'whole' }, person);
    book.add({ title: 'part', parent: 1 }, person);
    expect(book.tasks({ parent: 1 }).map(({ title }) => title)).toEqual(['part']);
  });

  it('refuses what is no task, and writes nothing of it', () => {
    const ledger = opened();
    const { book } = ledger;
    book.add({ title: 'a' }, person);
    const odd = 'fast asleep' as TaskStatus;
    expect(() => book.add({ title: 'b', status: odd }, person)).toThrow(
      expect.objectContaining({ code: 'EVENT_INVALID' }),
    );
    expect(() => book.change(1, { artifacts: [{ type: 'tree' as 'plan', path: 'x' }] }, person)).toThrow(
      expect.objectContaining({ code: 'EVENT_INVALID' }),
    );
    expect([book.next(), book.history(1).length]).toEqual([2, 1]);
  });

  it('is read by others, also before it is there', () => {
    const file = join(folder(), 'ledger.db');
    const reader = openLedger(file, { readOnly: true });
    expect([reader.book.task(1), reader.book.tasks(), reader.book.next()]).toEqual([null, [], 1]);
    const writer = openLedger(file);
    writer.book.add({ title: 'a' }, person);
    expect(reader.book.task(1)?.title).toBe('a');
    reader.close();
    writer.close();
  });
});

describe('the rows of the task book', () => {
  it('follow from its events', () => {
    const file = join(folder(), 'ledger.db');
    const ledger = openLedger(file);
    const { book } = ledger;
    const random = numbers(7);
    const statuses = [
      'researching',
      'planned',
      'implementing',
      'completed',
      'blocked',
      'abandoned',
      'not started',
    ] as const;
    for (let step = 0; step < 400; step += 1) {
      const number = 1 + (random() % 30);
      const status = statuses[random() % statuses.length] ?? 'planned';
      try {
        if (book.task(number) === null) book.add({ title: `task ${number}`, number }, { by: 'file' });
        else if (random() % 5 === 0) book.archive([number], person);
        else book.change(number, { status, ...(random() % 2 === 0 ? { reason: `step ${step}` } : {}) }, command);
      } catch {
        // Refused: nothing has happened.
      }
      if (random() % 9 === 0) book.conflict(number, { view: 'TODO.md', what: 'a, not b' });
    }
    ledger.close();

    const db = new DatabaseSync(file, { readOnly: true });
    const folded = new Map<number, BookedTask>();
    for (const { body } of db.prepare('select body from book_events order by seq').all()) {
      const event = JSON.parse(String(body)) as BookEvent;
      if (event.kind === 'numbers.taken' || event.kind === 'edit.conflicted') continue;
      folded.set(event.number, applyToTask(folded.get(event.number), event));
    }
    const rows = db.prepare('select number, status, archived, body from book_tasks order by number').all();
    db.close();
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.some(({ archived }) => archived === 1)).toBe(true);
    expect(
      rows.map(({ number, status, archived, body }) => [number, status, archived === 1, JSON.parse(String(body))]),
    ).toEqual(
      [...folded]
        .toSorted(([a], [b]) => a - b)
        .map(([number, { task, isArchived }]) => [number, task.status, isArchived, task]),
    );
  });
});

/** The same ones each time. */
function numbers(seed: number): () => number {
  let at = seed;
  return () => (at = (at * 48_271) % 2_147_483_647);
}
