/**
 * What is measured in a process of its own, because memory and starting belong to a process: `node scheduler-child.ts WHAT …`
 * prints one JSON object.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadPlan, openLedger, type RunId, runTasks } from '../src/index.ts';
import { median } from './measure.ts';
import { planOf, planText } from './scheduler-plan.ts';

export interface Grown {
  /** Milliseconds per task, on the wall and of the processor, in a small run and in a large one. */
  readonly small: { readonly wall: number; readonly cpu: number };
  readonly large: { readonly wall: number; readonly cpu: number };
}

export interface Filled {
  readonly megabytes: number;
}

export interface Resumed {
  readonly fromStart: number;
  readonly fromCall: number;
}

export interface Parsed {
  readonly millisecondsPerRow: number;
  readonly megabytes: number;
}

const peakMegabytes = (): number => process.resourceUsage().maxRSS / 1024;

async function timeRun(folder: string, tasks: number): Promise<{ wall: number; cpu: number }> {
  const file = join(folder, 'growth.db');
  const ledger = openLedger(file);
  const plan = planOf(tasks);
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  const { status } = await runTasks({ ledger, plan, concurrency: 16, perform: async () => undefined });
  const { user, system } = process.cpuUsage(cpu);
  const time = { wall: (performance.now() - wall) / tasks, cpu: (user + system) / 1000 / tasks };
  if (status !== 'completed') throw new Error(`the run of ${tasks} tasks is ${status}`);
  ledger.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  return time;
}

/** Small runs before and after the large one, so that a machine that grows slower or faster shows in both. */
async function grow(folder: string, small: number, large: number): Promise<Grown> {
  const rounds = 6;
  // What the compiler has yet to do in a fresh process is not the small run's own cost.
  for (let round = 0; round < rounds; round += 1) await timeRun(folder, small);
  const smalls: { wall: number; cpu: number }[] = [];
  for (let round = 0; round < rounds; round += 1) smalls.push(await timeRun(folder, small));
  const times = await timeRun(folder, large);
  for (let round = 0; round < rounds; round += 1) smalls.push(await timeRun(folder, small));
  const middle = (of: 'wall' | 'cpu'): number => median(smalls.map((time) => time[of]));
  return { small: { wall: middle('wall'), cpu: middle('cpu') }, large: times };
}

async function fill(folder: string, tasks: number): Promise<Filled> {
  await timeRun(folder, tasks);
  return { megabytes: peakMegabytes() };
}

async function resume(file: string, run: RunId): Promise<Resumed> {
  const called = performance.now();
  let first: number | undefined;
  const stop = new AbortController();
  const perform = async (): Promise<void> => {
    first ??= performance.now();
    stop.abort();
    // Open again for the next to measure: a task that is asked to stop and throws is not done.
    throw stop.signal.reason;
  };
  await runTasks({ ledger: file, resume: run, perform, signal: stop.signal });
  if (first === undefined) throw new Error('no task was started');
  return { fromStart: first, fromCall: first - called };
}

function parse(rows: number): Parsed {
  const text = planText(rows);
  // Enough calls for a clock, and the first one counts as well: a plan is parsed once.
  const calls = Math.max(1, Math.round(10_000 / rows));
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) loadPlan(text, 'plan.md');
  return { millisecondsPerRow: (performance.now() - start) / calls / rows, megabytes: peakMegabytes() };
}

async function answer([what, ...given]: readonly string[]): Promise<Grown | Filled | Resumed | Parsed> {
  const [first = '', second = '', third = ''] = given;
  if (what === 'grow') return grow(first, Number(second), Number(third));
  if (what === 'fill') return fill(first, Number(second));
  if (what === 'resume') return resume(first, second as RunId);
  return parse(Number(first));
}

process.stdout.write(JSON.stringify(await answer(process.argv.slice(2))));
