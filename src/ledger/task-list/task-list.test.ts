import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import type { TaskStatus } from '../../todo/task-status.ts';
import { applyToTask, type ListedTask, type TaskListEvent } from './task-list-event.ts';
import { type Ledger, openLedger } from '../ledger.ts';

const folder = temporaryFolders();
const person = { by: 'person' } as const;
const command = { by: 'command', run: 'run_1' } as const;

function opened(): Ledger {
  let now = Date.UTC(2026, 10, 16);
  return openLedger(':memory:', { now: () => (now += 1000) });
}

describe('the task list', () => {
  it('gives numbers in order, and never one again', () => {
    const { taskList } = opened();
    expect([
      taskList.next(),
      taskList.add({ title: 'a' }, person).number,
      taskList.add({ title: 'b' }, person).number,
    ]).toEqual([1, 1, 2]);
    taskList.add({ title: 'imported', number: 40 }, { by: 'file' });
    expect(taskList.next()).toBe(41);
    taskList.takeNumbers(246, { by: 'file' });
    taskList.takeNumbers(100, { by: 'file' });
    expect(taskList.add({ title: 'c' }, person).number).toBe(246);
    expect(() => taskList.add({ title: 'again', number: 40 }, person)).toThrow('task 40 already exists');
  });

  it('fills in what a draft leaves out', () => {
    const { taskList } = opened();
    const at = '2026-11-16T00:00:01.000Z';
    expect(taskList.add({ title: 'a', effort: '2 hours' }, person)).toEqual({
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
    const { taskList } = opened();
    taskList.add({ title: 'a', number: 12, status: 'completed' }, { by: 'file' });
    expect(() => taskList.change(12, { status: 'researching' }, command)).toThrow(
      expect.objectContaining({
        code: 'TASK_TRANSITION',
        message: 'task 12 is completed and cannot become researching',
        expected: 'no change after completed',
      }),
    );
    expect(() => taskList.change(999, { status: 'researching' }, command)).toThrow(
      expect.objectContaining({ code: 'TASK_UNKNOWN', message: 'task 999 is not in the task list' }),
    );
    expect(taskList.history(12)).toHaveLength(1);
  });

  it('knows when a task was completed, and forgets a reason that no longer holds', () => {
    const { taskList } = opened();
    taskList.add({ title: 'a' }, person);
    expect(taskList.change(1, { status: 'blocked', reason: 'no key' }, person).reason).toBe('no key');
    const working = taskList.change(1, { status: 'implementing' }, command);
    expect(working).not.toHaveProperty('reason');
    const done = taskList.change(1, { status: 'completed' }, command);
    expect(done.completed).toBe(done.updated);
    expect(done.updated > working.updated).toBe(true);
  });

  it('does nothing where nothing changes', () => {
    const { taskList } = opened();
    const task = taskList.add({ title: 'a' }, person);
    expect(taskList.change(1, { status: 'not started', title: 'a', artifacts: [] }, command)).toEqual(task);
    expect(taskList.history(1)).toHaveLength(1);
  });

  it('removes what is given as undefined', () => {
    const { taskList } = opened();
    taskList.add({ title: 'a', effort: '2 hours' }, person);
    expect(taskList.change(1, { effort: undefined }, person)).not.toHaveProperty('effort');
  });

  it('undoes a status, and only the last one', () => {
    const { taskList } = opened();
    taskList.add({ title: 'a' }, person);
    taskList.change(1, { status: 'researching' }, command);
    taskList.change(1, { title: 'b' }, person);
    expect(() => taskList.change(1, { status: 'not started' }, command)).toThrow('cannot become not started');
    expect(() => taskList.change(1, { status: 'planned' }, { ...command, undo: true })).toThrow(
      'cannot become planned',
    );
    expect(taskList.change(1, { status: 'not started' }, { ...command, undo: true }).status).toBe('not started');
  });

  it('archives what is over, and takes it out again when it is opened again', () => {
    const { taskList } = opened();
    for (const title of ['a', 'b', 'c']) taskList.add({ title }, person);
    taskList.change(2, { status: 'abandoned' }, person);
    expect(() => taskList.archive([2, 3], person)).toThrow('task 3 is not started and cannot be archived');
    expect(taskList.tasks()).toHaveLength(3);
    expect([taskList.archive([2], person), taskList.archive([2], person)]).toEqual([[2], []]);
    expect(taskList.tasks().map(({ number }) => number)).toEqual([1, 3]);
    expect(taskList.tasks({ archived: true, status: 'abandoned' }).map(({ number }) => number)).toEqual([2]);
    expect([taskList.isArchived(2), taskList.task(2)?.title]).toEqual([true, 'b']);
    taskList.change(2, { status: 'not started' }, person);
    expect(taskList.isArchived(2)).toBe(false);
  });

  it('lists the parts of a task', () => {
    const { taskList } = opened();
    taskList.add({ title: 'whole' }, person);
    taskList.add({ title: 'part', parent: 1 }, person);
    expect(taskList.tasks({ parent: 1 }).map(({ title }) => title)).toEqual(['part']);
  });

  it('refuses an invalid task and writes nothing', () => {
    const ledger = opened();
    const { taskList } = ledger;
    taskList.add({ title: 'a' }, person);
    const odd = 'fast asleep' as TaskStatus;
    expect(() => taskList.add({ title: 'b', status: odd }, person)).toThrow(
      expect.objectContaining({ code: 'EVENT_INVALID' }),
    );
    expect(() => taskList.change(1, { artifacts: [{ type: 'tree' as 'plan', path: 'x' }] }, person)).toThrow(
      expect.objectContaining({ code: 'EVENT_INVALID' }),
    );
    expect([taskList.next(), taskList.history(1).length]).toEqual([2, 1]);
  });

  it('is read by others, also before it is there', () => {
    const file = join(folder(), 'ledger.db');
    const reader = openLedger(file, { readOnly: true });
    expect([reader.taskList.task(1), reader.taskList.tasks(), reader.taskList.next()]).toEqual([null, [], 1]);
    const writer = openLedger(file);
    writer.taskList.add({ title: 'a' }, person);
    expect(reader.taskList.task(1)?.title).toBe('a');
    reader.close();
    writer.close();
  });
});

describe('the rows of the task list', () => {
  it('follow from its events', () => {
    const file = join(folder(), 'ledger.db');
    const ledger = openLedger(file);
    const { taskList } = ledger;
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
        if (taskList.task(number) === null) taskList.add({ title: `task ${number}`, number }, { by: 'file' });
        else if (random() % 5 === 0) taskList.archive([number], person);
        else taskList.change(number, { status, ...(random() % 2 === 0 ? { reason: `step ${step}` } : {}) }, command);
      } catch {
        // Refused: nothing has happened.
      }
      if (random() % 9 === 0) taskList.conflict(number, { view: 'TODO.md', what: 'a, not b' });
    }
    ledger.close();

    const db = new DatabaseSync(file, { readOnly: true });
    const folded = new Map<number, ListedTask>();
    for (const { body } of db.prepare('select body from task_events order by seq').all()) {
      const event = JSON.parse(String(body)) as TaskListEvent;
      if (event.kind === 'numbers.taken' || event.kind === 'edit.conflicted') continue;
      folded.set(event.number, applyToTask(folded.get(event.number), event));
    }
    const rows = db.prepare('select number, status, archived, body from backlog_tasks order by number').all();
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
