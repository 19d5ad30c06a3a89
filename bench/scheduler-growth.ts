/** Measures the cost of a task in a large plan, the time to resume a large run, and the time to read a large plan. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { runTasks } from '../src/index.ts';
import { atMost, type Figures, type Print, recorded, rounded, sized } from './bench.ts';
import { median } from './measure.ts';
import type { Filled, Grown, Parsed, Resumed } from './scheduler-child.ts';
import { planOf } from './scheduler-plan.ts';

const run = promisify(execFile);

/** Node keeps what it compiled in the folder, so that a process finds the types taken off, as in an installed package. */
async function child<T>(folder: string, ...given: readonly (string | number)[]): Promise<T> {
  const program = join(import.meta.dirname, 'scheduler-child.ts');
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const { stdout } = await run(process.execPath, [program, ...given.map(String)], { env });
  return JSON.parse(stdout) as T;
}

const inDigits = (count: number): string => count.toLocaleString('en-US');

export async function measureGrowth(print: Print, folder: string): Promise<Figures> {
  const [few, many] = sized([1000, 100_000], [100, 1000]);
  const { small, large } = await child<Grown>(folder, 'grow', folder, few, many);
  const { megabytes } = await child<Filled>(folder, 'fill', folder, many);
  const ratio = { wall: large.wall / small.wall, cpu: large.cpu / small.cpu };
  print(
    `Cost of a task, ${few} → ${many} tasks, in one process after a warm-up:`,
    `  wall       ${rounded(small.wall)} → ${rounded(large.wall)} ms, ${rounded(ratio.wall)}×`,
    `  processor  ${rounded(small.cpu)} → ${rounded(large.cpu)} ms, ${rounded(ratio.cpu)}×`,
    `  peak memory of ${many} tasks in a process of their own: ${Math.round(megabytes)} MB, the plan as data included`,
    '',
  );
  const growth = `${inDigits(few)} to ${inDigits(many)} tasks`;
  return {
    [`cost per task, ${growth}`]: atMost(1.3, ratio.wall, '×'),
    [`processor time per task, ${growth}`]: atMost(1.3, ratio.cpu, '×'),
    [`peak memory at ${inDigits(many)} tasks`]: atMost(400, megabytes, 'MB'),
  };
}

export async function measureResume(print: Print, folder: string): Promise<Figures> {
  const file = join(folder, 'resume.db');
  const enough = sized(100_000, 1000);
  const stop = new AbortController();
  let events = 0;
  const { created } = await runTasks({
    ledger: file,
    plan: planOf(sized(40_000, 400)),
    concurrency: 16,
    perform: async () => undefined,
    seen: (more) => {
      events += more.length;
      if (events >= enough) stop.abort();
    },
    signal: stop.signal,
  });
  print(`To the first task of a run with ${events} events, resumed in a fresh process (medians of ${rounds}):`);
  const paused = await resumeTimes(folder, file, created.run, () => undefined);
  print(`  after a pause: ${inWords(paused)}`);
  const killed = await resumeTimes(folder, file, created.run, () => forgetSnapshots(file));
  print(`  after a crash: ${inWords(killed)}`, '');
  const toFirst = `to first task, ${inDigits(enough)} events, after a`;
  return {
    [`process start ${toFirst} pause`]: atMost(0.4, paused.fromStart / 1000, 's'),
    [`call ${toFirst} pause`]: atMost(0.4, paused.fromCall / 1000, 's'),
    [`process start ${toFirst} crash`]: atMost(0.4, killed.fromStart / 1000, 's'),
    [`call ${toFirst} crash`]: atMost(0.4, killed.fromCall / 1000, 's'),
  };
}

const rounds = sized(7, 1);

async function resumeTimes(folder: string, file: string, id: string, before: () => void): Promise<Resumed> {
  const times: Resumed[] = [];
  for (let round = 0; round < rounds; round += 1) {
    before();
    times.push(await child<Resumed>(folder, 'resume', file, id));
  }
  const middle = (of: keyof Resumed): number => median(times.map((time) => time[of]));
  return { fromStart: middle('fromStart'), fromCall: middle('fromCall') };
}

/** A run that pauses leaves one; one that is killed does not. */
function forgetSnapshots(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('delete from snapshots');
  db.close();
}

function inWords({ fromStart, fromCall }: Resumed): string {
  return `${Math.round(fromStart)} ms from the start of the process, ${Math.round(fromCall)} ms from the call of runTasks`;
}

export async function measureParsing(print: Print, folder: string): Promise<Figures> {
  print('Reading a plan, in a fresh process:');
  const figures: Record<string, Figures[string]> = {};
  for (const rows of sized([1000, 100_000], [1000])) {
    const { millisecondsPerRow, megabytes } = await child<Parsed>(folder, 'parse', rows);
    print(`  ${rows} rows: ${rounded(millisecondsPerRow)} ms a row, peak memory ${Math.round(megabytes)} MB`);
    const size = rows.toLocaleString('en');
    figures[`reading a plan, per row of ${size}`] = atMost(0.5, millisecondsPerRow, 'ms');
    figures[`peak memory, reading ${size} rows`] = recorded(megabytes, 'MB');
  }
  print('');
  return figures;
}
