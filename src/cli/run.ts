import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { messageOf, tuttiError } from '../contracts/error.ts';
import { loadPlan } from '../plan/parse-plan.ts';
import { planFileName, planStates, withState } from '../plan/plan-name.ts';
import { readLedger, runPlan } from '../runtime.ts';
import { checkNoneUnfinished } from '../scheduler/create-run.ts';
import { folderInside, writeAtomically } from '../workspace/atomic-file.ts';
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
  if (text.includes('\uFFFD')) {
    throw tuttiError('PLAN_UNREADABLE', {
      message: 'standard input is not UTF-8 text',
      next: 'Pass the plan as UTF-8; nothing was kept or started.',
    });
  }
  const name = freeName(project, planFileName(plan, 'inprogress', titles));
  try {
    await folderInside(project, '.tutti/plans');
    const file = join(project, '.tutti/plans', name);
    await writeAtomically(file, text);
    return file;
  } catch (cause) {
    throw tuttiError('PLAN_UNWRITABLE', {
      message: `the plan could not be kept in .tutti/plans: ${messageOf(cause)}`,
      next: 'See whether the folder may be written to and the disk has room, or save the plan and run its file. Nothing was started.',
      retryable: true,
      ids: { file: `.tutti/plans/${name}` },
      cause,
    });
  }
}

/** The plan of an earlier run with the same words keeps its file; one that is not finished is refused. */
function freeName(project: string, name: string): string {
  const taken = (candidate: string): boolean =>
    planStates.some((state) => existsSync(join(project, '.tutti/plans', withState(candidate, state) ?? candidate)));
  const ledger = readLedger(project);
  try {
    for (let number = 2, candidate = name; ; number += 1) {
      checkNoneUnfinished(ledger, `.tutti/plans/${candidate}`);
      if (!taken(candidate)) return candidate;
      candidate = name.replace(/-inprogress\.md$/, `-${number}-inprogress.md`);
    }
  } finally {
    ledger.close();
  }
}

function concurrencyFrom(text: string | undefined): { readonly concurrency?: number } {
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

/** Before a long run, not after it. */
async function checkFolder(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw tuttiError('USAGE', {
      message: `--record: ${messageOf(cause)}`,
      expected: 'a file in a folder that exists and may be written to',
      next: 'Name another file, or make the folder.',
      cause,
    });
  }
}

export async function run(project: string, plan: string, options: RunCommandOptions): Promise<Answer> {
  const { driver } = options;
  const more = { ...concurrencyFrom(options.concurrency), ...(driver === undefined ? {} : { driver }) };
  if (options.record !== undefined) await checkFolder(dirname(resolve(options.record)));
  const file = plan === '-' ? await keepPlan(project) : resolve(plan);
  const watched = watchRun(`tutti run ${plan}`, { asJson: options.json === true, project });
  const recorder = options.record === undefined ? undefined : record(resolve(options.record));
  try {
    const through = recorder === undefined ? {} : { through: recorder.through };
    const state = await runPlan(file, { ...watched.options, ...more, ...through, project });
    return watched.answer(state);
  } finally {
    watched.end();
    await recorder?.write().catch((error: unknown) => watched.options.warn(error));
  }
}
