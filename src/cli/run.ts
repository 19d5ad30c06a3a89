import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { tuttiError } from '../contracts/error.ts';
import { loadPlan } from '../plan/parse-plan.ts';
import { planFileName } from '../plan/plan-name.ts';
import { runPlan } from '../runtime.ts';
import { writeAtomically } from '../workspace/atomic-file.ts';
import { readInput } from './input.ts';
import type { Answer } from './output.ts';
import { record } from './record.ts';
import { watchRun } from './watch-run.ts';

export interface RunCommandOptions {
  readonly json?: boolean;
  readonly concurrency?: string;
  readonly driver?: string;
  readonly record?: string;
}

/** A plan from standard input is kept under a name made of its own words. */
async function keepPlan(project: string): Promise<string> {
  const text = await readInput('-');
  const { plan } = loadPlan(text, 'standard input');
  const titles = plan.waves.flatMap(({ tasks }) => tasks.map(({ title }) => title));
  const folder = join(project, '.tutti', 'plans');
  const file = join(folder, planFileName(plan, 'inprogress', titles));
  await mkdir(folder, { recursive: true });
  await writeAtomically(file, text);
  return file;
}

function placesOf(text: string | undefined): { readonly concurrency?: number } {
  if (text === undefined) return {};
  const concurrency = Number(text);
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 1000) return { concurrency };
  throw tuttiError('USAGE', {
    message: `--concurrency ${text} is not a number of tasks`,
    expected: 'a whole number from 1 to 1000',
    got: text,
    next: 'Give a whole number.',
  });
}

export async function run(project: string, plan: string, options: RunCommandOptions): Promise<Answer> {
  const { driver } = options;
  const more = { ...placesOf(options.concurrency), ...(driver === undefined ? {} : { driver }) };
  const file = plan === '-' ? await keepPlan(project) : resolve(plan);
  const watched = watchRun(`tutti run ${plan}`, options.json === true);
  const recorder = options.record === undefined ? undefined : record(resolve(options.record));
  try {
    const through = recorder === undefined ? {} : { through: recorder.through };
    const state = await runPlan(file, { ...watched.options, ...more, ...through, project });
    return watched.answer(state);
  } finally {
    watched.end();
    await recorder?.write();
  }
}
