/** Backlog tasks: finding one, changing one, and changing one with both files written, by how many there are. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { syncViews } from '../src/commands/sync-views.ts';
import { type Ledger, openLedger } from '../src/ledger/ledger.ts';
import { atMost, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { compare, median } from './measure.ts';
import { ledgerFile } from '../src/workspace/places.ts';

const [few, more, many] = sized([100, 1000, 10_000] as const, [10, 100, 500]);
const goals = { lookUp: 2, growth: 1.5 };
const effort = { repeats: sized(101, 5), warmUpMilliseconds: sized(200, 20) };
const changes = sized(200, 10);
const wholeUpdates = sized(9, 1);

interface TaskList {
  readonly tasks: number;
  readonly project: string;
  readonly ledger: Ledger;
  /** Another task each time, here and there. */
  readonly next: () => number;
}

function makeTaskList(root: string, tasks: number): TaskList {
  const project = join(root, String(tasks));
  mkdirSync(join(project, '.divisi'), { recursive: true });
  const ledger = openLedger(ledgerFile(project));
  ledger.atomically(() => {
    for (let at = 1; at <= tasks; at += 1) {
      const description = 'What it is about, in a sentence or two as people write them. '.repeat(2);
      ledger.taskList.add({ title: `Task ${at} of the bench`, description, language: 'typescript' }, { by: 'person' });
    }
  });
  let at = 0;
  return { tasks, project, ledger, next: () => 1 + ((at += 7919) % tasks) };
}

function change({ ledger, next }: TaskList): void {
  const number = next();
  const status = ledger.taskList.task(number)?.status === 'implementing' ? 'blocked' : 'implementing';
  ledger.taskList.change(number, { status }, { by: 'command' });
}

/** By the clock on the wall: the usual one, and one that 99 of 100 are faster than. */
function lookUps({ ledger, next }: TaskList): { readonly usual: number; readonly slow: number } {
  const times = Array.from({ length: 5000 }, () => {
    const begun = performance.now();
    ledger.taskList.task(next());
    return performance.now() - begun;
  }).toSorted((one, other) => one - other);
  return { usual: median(times), slow: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

async function wall(work: () => Promise<void> | void): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** In turns, so that what else the disk does hits both. */
async function updates(small: TaskList, large: TaskList): Promise<{ readonly large: number; readonly ratio: number }> {
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < changes; round += 1) {
    const isSmallFirst = round % 2 === 0;
    const first = await wall(() => change(isSmallFirst ? small : large));
    const second = await wall(() => change(isSmallFirst ? large : small));
    pairs.push(isSmallFirst ? [first, second] : [second, first]);
  }
  return { large: median(pairs.map(([, time]) => time)), ratio: median(pairs.map(([one, other]) => other / one)) };
}

async function wholeUpdate(taskList: TaskList): Promise<number> {
  const { project, ledger } = taskList;
  const sync = async (): Promise<void> => void (await syncViews(project, ledger, () => undefined));
  await sync();
  const times: number[] = [];
  for (let round = 0; round < wholeUpdates; round += 1) {
    change(taskList);
    times.push(await wall(sync));
  }
  return median(times);
}

const milliseconds = (time: number): string => `${rounded(time)} ms`;

export async function measureTaskList(print: Print): Promise<Figures> {
  const root = mkdtempSync(join(tmpdir(), 'divisi-bench-state-'));
  const [small, middle, large] = [makeTaskList(root, few), makeTaskList(root, more), makeTaskList(root, many)];
  try {
    const found = compare(
      () => large.ledger.taskList.task(large.next()),
      () => small.ledger.taskList.task(small.next()),
      effort,
    );
    const { usual, slow } = lookUps(large);
    const changed = await updates(small, large);
    print(
      `  look-up by number: ${milliseconds(found.twin / 1e6)} with ${few}, ${milliseconds(found.subject / 1e6)} with ${many}, 1 in 100 above ${milliseconds(slow)}`,
      `  update in the task list, on the disk: ${milliseconds(changed.large)} with ${many}`,
    );
    const whole: number[] = [];
    for (const taskList of [small, middle, large]) {
      whole.push(await wholeUpdate(taskList));
      print(`  both files written after one update: ${milliseconds(whole.at(-1) ?? 0)} with ${taskList.tasks}`);
    }
    return {
      [`look-up by number with ${many}`]: atMost(goals.lookUp, usual, 'ms'),
      [`look-up by number with ${many}, 99 of 100 are faster`]: recorded(slow, 'ms'),
      [`look-up by number, ${many} against ${few}`]: atMost(goals.growth, found.ratio, 'times'),
      [`update in the task list, ${many} against ${few}`]: atMost(goals.growth, changed.ratio, 'times'),
      [`update in the task list with ${many}`]: recorded(changed.large, 'ms'),
      [`both files written after one update with ${few}`]: recorded(whole[0] ?? Number.NaN, 'ms'),
      [`both files written after one update with ${many}`]: recorded(whole[2] ?? Number.NaN, 'ms'),
    };
  } finally {
    for (const { ledger } of [small, middle, large]) ledger.close();
    rmSync(root, { recursive: true, force: true });
  }
}
