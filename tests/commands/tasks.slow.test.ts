/** Backlog tasks with several processes at once, with processes that are killed, and with ten thousand of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { syncViews } from '../../src/commands/sync-views.ts';
import { type Ledger, openLedger } from '../../src/ledger/ledger.ts';
import type { FoundTask } from '../../src/todo/found-task.ts';
import type { ProjectTask } from '../../src/todo/project-task.ts';
import { readState } from '../../src/todo/state-file.ts';
import { readTodo } from '../../src/todo/todo-file.ts';
import { startChild } from '../ledger/child.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { leastTime } from '../support/processor-time.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const person = { by: 'person' } as const;

function projectWith(count: number): { readonly project: string; readonly ledger: Ledger } {
  const project = folder({ '.divisi/config.yaml': '' });
  const ledger = openLedger(ledgerFile(project));
  ledger.atomically(() => {
    for (let at = 1; at <= count; at += 1) ledger.taskList.add({ title: `Task ${at}` }, person);
  });
  return { project, ledger };
}

const facts = ({ number, title, status, effort }: FoundTask | ProjectTask): unknown => [number, title, status, effort];

/** What each of the three says. */
function threeSides(project: string, ledger: Ledger): [taskList: unknown[], todo: unknown[], state: unknown[]] {
  const text = (name: string): string => readFileSync(join(project, name), 'utf8');
  const sorted = (entries: ReadonlyMap<number, FoundTask>): unknown[] =>
    [...entries.values()].toSorted((one, other) => one.number - other.number).map(facts);
  return [
    ledger.taskList.tasks().map(facts),
    sorted(readTodo(text('TODO.md')).entries),
    sorted(readState(text('state.json')).entries),
  ];
}

describe('several processes at once', () => {
  it('give every task a unique number, and lose none', async () => {
    const { project, ledger } = projectWith(0);
    const titles = Array.from({ length: 8 }, (_, at) => `Number ${at}`);
    const runs = await Promise.all(titles.map(async (title) => divisi(['task', 'add', title], { cwd: project })));
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
    const [taskList, todo, state] = threeSides(project, ledger);
    expect([todo, state]).toEqual([taskList, taskList]);
    const tasks = ledger.taskList.tasks();
    expect(tasks.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(tasks.map(({ title }) => title).toSorted()).toEqual(titles);
  });

  it('change the same tasks, and none mistakes another’s write for an edit by hand', async () => {
    const { project, ledger } = projectWith(5);
    const children = ['one', 'other'].map((who) =>
      startChild(new URL('update-loop.ts', import.meta.url), [project, who, '5']),
    );
    await Promise.all(children.map(async (child) => child.has(25)));
    for (const { process } of children) process.kill('SIGKILL');
    await Promise.all(children.map(async ({ ended }) => ended));
    const warnings = children.flatMap(({ lines }) => lines.filter((line) => line.startsWith('warning')));
    await syncViews(project, ledger, (what) => warnings.push(what));
    const [taskList, todo, state] = threeSides(project, ledger);
    expect({ warnings, todo, state }).toEqual({ warnings: [], todo: taskList, state: taskList });
  });
});

describe('a process that is killed', () => {
  it('loses nothing that it acknowledged, and the next one syncs the files', async () => {
    const { project, ledger } = projectWith(3);
    const warnings: string[] = [];
    for (let kill = 0; kill < 8; kill += 1) {
      const child = startChild(new URL('update-loop.ts', import.meta.url), [project, `life ${kill}`, '3']);
      const { process, lines, ended } = child;
      await child.has(3);
      await sleep(kill * 3);
      process.kill('SIGKILL');
      await ended;
      warnings.push(...lines.filter((line) => line.startsWith('warning')));
      // The next life begins with files as they are, every other time.
      if (kill % 2 === 0) await syncViews(project, ledger, (what) => warnings.push(what));
      for (const number of [1, 2, 3]) {
        const last = lines.findLast((line) => line.startsWith(`${number} `))?.slice(2);
        const efforts = ledger.taskList
          .history(number)
          .flatMap((event) => (event.kind === 'task.changed' ? [event.set.effort] : []));
        expect(efforts).toContain(last);
      }
    }
    await syncViews(project, ledger, (what) => warnings.push(what));
    const [taskList, todo, state] = threeSides(project, ledger);
    expect({ warnings, todo, state }).toEqual({ warnings: [], todo: taskList, state: taskList });
  });
});

describe('ten thousand tasks', () => {
  it('come in from files, and one of them is found and changed like one of ten', async () => {
    const { project: source, ledger: theirs } = projectWith(10_000);
    await syncViews(source, theirs, () => undefined);
    const files = Object.fromEntries(
      ['TODO.md', 'state.json'].map((name) => [name, readFileSync(join(source, name), 'utf8')]),
    );
    const project = folder({ '.divisi/config.yaml': '', ...files });
    const ledger = openLedger(ledgerFile(project));
    const { imported, written } = await syncViews(project, ledger, () => undefined);
    expect([imported.length, written]).toEqual([10_000, []]);

    const lookUps = (): void => {
      for (let at = 0; at < 1000; at += 1) ledger.taskList.task(1 + ((at * 7919) % 10_000));
    };
    expect(leastTime(lookUps, 2000)).toBeLessThan(2000);

    ledger.taskList.change(7777, { status: 'researching' }, { by: 'command' });
    await syncViews(project, ledger, () => undefined);
    const [before, after] = [files['TODO.md'] ?? '', readFileSync(join(project, 'TODO.md'), 'utf8')];
    const lines = before.split('\n');
    const changed = after.split('\n').filter((line, at) => line !== lines[at]);
    expect(changed).toEqual(['- **Status**: [RESEARCHING]']);
    expect(after).toContain('### 7777. Task 7777\n- **Status**: [RESEARCHING]');
  });
});
