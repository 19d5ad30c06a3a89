/** Starts a run of a plan file and watches it. */
import { defined } from '../../base/defined.ts';
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf, divisiError } from '../../base/error.ts';
import { troubleAnswers } from '../../core/event/checkpoint.ts';
import { modes } from '../../plan/plan.ts';
import { type NewRunOptions, runPlan } from '../../runtime/runtime.ts';
import { type Answer, exitCodes } from '../output.ts';
import { askAboutMarks, marksFrom } from './ask-about-marks.ts';
import { previewPlan } from './preview-plan.ts';
import { recordScenario } from './record.ts';
import { watchRun } from '../live/watch-run.ts';

/** Options of new runs, as given on the command line. */
export interface StartOptions {
  readonly json?: boolean;
  readonly concurrency?: string;
  readonly driver?: string;
  readonly record?: string;
  readonly mode?: string;
  readonly onTrouble?: string;
  readonly marks?: string;
  readonly confirmed?: string;
}

export interface StartSettings extends Pick<
  NewRunOptions,
  'concurrency' | 'driver' | 'mode' | 'onTrouble' | 'confirmed' | 'marks'
> {
  /** Only show what would be done. */
  readonly planOnly?: boolean;
  readonly json: boolean;
  /** Absolute. */
  readonly record?: string;
}

/** Checked before asking or starting anything. */
export async function startSettings(options: StartOptions): Promise<StartSettings> {
  const { json, concurrency, driver, record, mode, onTrouble, confirmed, marks } = options;
  if (record !== undefined) await checkFolder(dirname(resolve(record)));
  return {
    json: json === true,
    ...modeFrom(mode),
    ...troubleFrom(onTrouble),
    ...marksFrom(marks),
    ...defined({ confirmed }),
    ...concurrencyFrom(concurrency),
    ...defined({ driver }),
    ...(record === undefined ? {} : { record: resolve(record) }),
  };
}

function modeFrom(text: string | undefined): Pick<StartSettings, 'mode' | 'planOnly'> {
  if (text === undefined) return {};
  if (text === 'plan') return { planOnly: true };
  const mode = modes.find((one) => one === text);
  if (mode !== undefined) return { mode };
  throw divisiError('USAGE', {
    message: `unknown mode ${JSON.stringify(text)}`,
    expected: `plan, ${modes.join(' or ')}`,
    got: text,
    next: 'Give one of them, or leave it out.',
  });
}

/** `ask` is the default. */
export function troubleFrom(text: string | undefined): Pick<StartSettings, 'onTrouble'> {
  if (text === undefined || text === 'ask') return {};
  const onTrouble = troubleAnswers.find((one) => one === text);
  if (onTrouble !== undefined) return { onTrouble };
  throw divisiError('USAGE', {
    message: `unknown answer to trouble ${JSON.stringify(text)}`,
    expected: `ask, ${troubleAnswers.join(' or ')}`,
    got: text,
    next: 'Give one of them, or leave it out.',
  });
}

function concurrencyFrom(text: string | undefined): { readonly concurrency?: number } {
  if (text === undefined) return {};
  const concurrency = Number(text);
  if (Number.isInteger(concurrency) && concurrency >= 1 && concurrency <= 1000) return { concurrency };
  throw divisiError('USAGE', {
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
    throw divisiError('USAGE', {
      message: `--record: ${messageOf(cause)}`,
      expected: 'a file in an existing, writable folder',
      next: 'Name another file, or create the folder.',
      cause,
    });
  }
}

/** `shown` is what the plan is called on the command line. */
export async function startPlan(
  project: string,
  file: string,
  shown: string,
  settings: StartSettings,
): Promise<Answer> {
  const { json, record: recordFile, planOnly, ...more } = settings;
  if (planOnly === true) return previewPlan(project, resolve(file), more);
  const marks = await askAboutMarks(project, file, settings);
  if (marks === 'quit') return { code: exitCodes.cancelled, json: undefined, text: 'nothing was started' };
  const recorder = recordFile === undefined ? undefined : await recordScenario(project, recordFile);
  const watched = watchRun(`divisi run ${shown}`, { asJson: json, project });
  try {
    const through = recorder === undefined ? {} : { through: recorder.through };
    const state = await runPlan(resolve(file), { ...watched.options, ...more, ...marks, ...through, project });
    return watched.answer(state);
  } finally {
    watched.end();
    await recorder?.write().catch((error: unknown) => watched.options.warn(error));
  }
}
