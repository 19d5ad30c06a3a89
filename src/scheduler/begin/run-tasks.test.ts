import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../../tests/support/temporary-folder.ts';
import type { RunEvent } from '../../core/event/event.ts';
import { openLedger } from '../../ledger/ledger.ts';
import type { Plan, PlanTask } from '../../plan/plan.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { runTasks } from './run-tasks.ts';

const folder = temporaryFolders();
const file = (): string => join(folder(), 'ledger.db');

const task = (id: string, more: Partial<PlanTask> = {}): PlanTask => {
  return { id, title: id, description: id, mark: ' ', after: [], scope: [], accept: [], line: 1, ...more };
};

function plan(...waves: readonly (readonly PlanTask[])[]): Plan {
  const numbered = waves.map((tasks, at) => ({ number: at + 1, title: '', tasks, line: 1 }));
  return { title: 'T', goal: 'G', settings: { budgets: {} }, checkpoints: [], waves: numbered };
}

const many = (wave: number, count: number): PlanTask[] =>
  Array.from({ length: count }, (_, at) => task(`${wave}.${at + 1}`));

it('runs every task once, wave by wave and in the order of dependencies', async () => {
  const order: string[] = [];
  const ledger = file();
  const state = await runTasks({
    ledger,
    plan: plan([task('b', { after: [{ task: 'a' }] }), task('a')], [task('c')]),
    concurrency: 4,
    perform: async ({ task: { id } }) => {
      order.push(id);
      return { summary: `did ${id}` };
    },
  });
  expect(state.status).toBe('completed');
  expect(order).toEqual(['a', 'b', 'c']);
  expect(state.tasks.get('c')?.progress).toMatchObject({ status: 'completed', outcome: { summary: 'did c' } });
  const reader = openLedger(ledger, { readOnly: true });
  expect(foldRun(reader, state.created.run).tasks).toEqual(state.tasks);
  reader.close();
});

it('runs as many tasks at once as configured, and never more', async () => {
  let [now, most] = [0, 0];
  const perform = async (): Promise<void> => {
    most = Math.max(most, (now += 1));
    await sleep(2);
    now -= 1;
  };
  await runTasks({ ledger: file(), plan: plan(many(1, 20)), concurrency: 3, perform });
  expect(most).toBe(3);
});

it('a task that throws has failed, with what it threw; what waits for it is skipped', async () => {
  const perform = async ({ task: { id } }: { task: { id: string } }): Promise<void> => {
    if (id === 'a') throw new Error('no such table');
  };
  const given = plan([task('a'), task('b', { after: [{ task: 'a' }] }), task('c')]);
  const { status, tasks } = await runTasks({ ledger: file(), plan: given, perform });
  expect(status).toBe('failed');
  expect(tasks.get('a')?.progress).toMatchObject({
    status: 'failed',
    outcome: { failure: { class: 'agent-error', message: 'no such table' } },
  });
  expect(tasks.get('b')?.progress).toEqual({ status: 'skipped', because: 'a' });
  expect(tasks.get('c')?.progress.status).toBe('completed');
});

it('stops on its signal, and resumes where it stopped', async () => {
  const ledger = file();
  const stop = new AbortController();
  const done: string[] = [];
  const first = await runTasks({
    ledger,
    plan: plan(many(1, 6), many(2, 2)),
    concurrency: 2,
    signal: stop.signal,
    perform: async ({ task: { id } }, signal) => {
      if (done.length > 2) stop.abort();
      signal.throwIfAborted();
      await sleep(1);
      signal.throwIfAborted();
      done.push(id);
    },
  });
  expect(first.status).toBe('paused');
  const { run } = first.created;
  const perform = async ({ task: { id } }: { task: { id: string } }): Promise<void> => void done.push(id);
  const second = await runTasks({ ledger, resume: run, perform });
  expect(second.status).toBe('completed');
  expect(done.toSorted()).toEqual([...many(1, 6), ...many(2, 2)].map(({ id }) => id));
  await expect(runTasks({ ledger, resume: run, perform })).rejects.toMatchObject({ code: 'RUN_ENDED' });
});

it('tells what has become durable, commit by commit', async () => {
  const ledger = openLedger(':memory:');
  const commits: (readonly RunEvent[])[] = [];
  const state = await runTasks({
    ledger,
    plan: plan(many(1, 4)),
    concurrency: 2,
    perform: async () => undefined,
    seen: (events) => commits.push(events),
  });
  expect([...ledger.read(state.created.run)]).toMatchObject(commits.flat());
  // The plan; that it starts; the wave with two tasks; two ends with what follows, twice, the last with the run's own.
  expect(commits.map((events) => events.length)).toEqual([2, 1, 3, 6, 6]);
  ledger.close();
});

it.each([
  ['an id that is there twice', plan([task('a')], [task('a')]), 'a is declared twice'],
  ['a cycle', plan([task('a', { after: [{ task: 'b' }] }), task('b', { after: [{ task: 'a' }] })]), 'a → b → a'],
  ['what waits for nothing there is', plan([task('a', { after: [{ task: 'x' }] })]), 'x, which is not in the plan'],
])('refuses %s before anything is written', async (_what, given, message) => {
  const ledger = openLedger(':memory:');
  const asked = runTasks({ ledger, plan: given, perform: async () => undefined });
  await expect(asked).rejects.toMatchObject({ code: 'PLAN_INVALID', message: expect.stringContaining(message) });
  expect(ledger.runs()).toEqual([]);
  ledger.close();
});

it('a large run at rest is read from its snapshot as from its events', async () => {
  const ledger = openLedger(':memory:');
  const stop = new AbortController();
  let left = 1800;
  const perform = async ({ task: { id } }: { task: { id: string } }): Promise<void> => {
    if ((left -= 1) === 0) stop.abort();
    stop.signal.throwIfAborted();
    if (id.endsWith('7')) throw new Error('sevens fail');
  };
  const given = plan(many(1, 1000), many(2, 1000));
  const { created } = await runTasks({ ledger, plan: given, concurrency: 7, perform, signal: stop.signal });
  const snapshot = ledger.snapshot(created.run, created.core);
  expect(snapshot?.seq).toBe(ledger.run(created.run)?.head);
  const folded = foldRun(ledger, created.run, () => undefined);
  expect(folded.status).toBe('paused');
  expect(foldRun(ledger, created.run)).toEqual(folded);
  // A snapshot that is no good is passed over.
  ledger.saveSnapshot(created.run, snapshot?.seq ?? 0, created.core, '{"tasks":[');
  expect(foldRun(ledger, created.run)).toEqual(folded);
  ledger.close();
});
