/** `divisi run`: runs a plan or a description, resumes a run, or offers unfinished work. */
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join, relative, resolve as absolute, sep } from 'node:path';
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import { planHead } from '../../plan/plan-head.ts';
import { stemOf } from '../../plan/plan-name.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { isArchitectPlan } from '../../runtime/plans/store-architect-plan.ts';
import { storePlan, type NamedPlan, namePlan } from '../../runtime/plans/store-plan.ts';
import { readPlanText } from '../../project/plan-file.ts';
import { resumeWords } from '../../project/resume-words.ts';
import { isTerminal } from '../ask.ts';
import { readInput } from '../input.ts';
import { type NewWorkDecision, decideNewWork, type NewWork, type Preference } from './new-work.ts';
import { isAboutPlans, offerWork } from './offer-work.ts';
import { type Answer, exitCodes } from '../output.ts';
import { previewPlan } from './preview-plan.ts';
import { resume } from './resume.ts';
import { runTarget, type RunTarget } from '../../project/run-target.ts';
import { type StartOptions, startPlan, type StartSettings, startSettings } from './start-plan.ts';
import { requireTrust } from '../../project/trust/trust.ts';

export type RunCommandOptions = StartOptions & Preference;

export async function run(project: string, words: readonly string[], options: RunCommandOptions): Promise<Answer> {
  if (options.new === true && options.resume === true) {
    throw divisiError('USAGE', {
      message: '--new and --resume contradict each other',
      next: 'Use one of them: `--new` starts over, `--resume` resumes unfinished work.',
    });
  }
  const settings = await startSettings(options);
  if (settings.planOnly !== true) requireTrust({ project, environment: process.env });
  const given = { project, options, settings };
  const named = runTarget(words, existsSync);
  // `plan` resumes nothing: `resume …` is a description there.
  const isPlanned = named.kind === 'resume' && settings.planOnly === true;
  const target: RunTarget = isPlanned ? { kind: 'description', description: words.join(' ').trim() } : named;
  switch (target.kind) {
    case 'resume': {
      const { run: name, from } = resumeWords(target.words);
      const isUnnamed = name === undefined && from === undefined;
      if (!isUnnamed || !(await isAboutPlans(project))) return goOn(project, target.words, options);
      return follow(await offerWork(project, options.json === true), given, async () => quit());
    }
    case 'nothing':
      if (options.resume === true) return goOn(project, [], options);
      return follow(await offerWork(project, options.json === true), given, async () => quit());
    case 'standard-input': {
      const piped = namePlan(await readInput('-'), 'standard input');
      const { title, goal, file } = piped;
      const work = { shown: 'the plan', file, wanted: async () => ({ stem: stemOf(file), title, goal }) };
      const begin = async (): Promise<Answer> => {
        if (settings.planOnly === true) return previewPiped(project, piped, settings);
        return startPlan(project, await storePiped(project, piped), '-', settings);
      };
      return follow(await decideNewWork(project, work, options), given, begin);
    }
    case 'plan': {
      const work = await planWork(project, target.file);
      const begin = async (): Promise<Answer> => startPlan(project, target.file, target.file, settings);
      return follow(await decideNewWork(project, work, options), given, begin);
    }
    case 'description': {
      const { description } = target;
      const work = { shown: `"${description}"`, wanted: async () => ({ description }) };
      refuseRecording(options);
      const begin = async (): Promise<Answer> => {
        const then = settings.planOnly === true ? 'show' : 'run';
        return (await import('./architect.ts')).planWithArchitect(project, description, { settings, then });
      };
      return follow(await decideNewWork(project, work, options), given, begin);
    }
    default:
      return target satisfies never;
  }
}

/** A scenario records the tasks of a plan. */
function refuseRecording({ record }: RunCommandOptions): void {
  if (record === undefined) return;
  throw divisiError('USAGE', {
    message: '--record needs an existing plan',
    next: 'Create the plan first (`divisi plan "…"`), and record its run: `divisi run PLAN --record FILE`.',
  });
}

async function storePiped(project: string, piped: NamedPlan): Promise<string> {
  const ledger = readLedger(project);
  try {
    return await storePlan(project, ledger, piped);
  } finally {
    ledger.close();
  }
}

/** A previewed plan is not kept. */
async function previewPiped(project: string, { file, text }: NamedPlan, settings: StartSettings): Promise<Answer> {
  const { json: _json, planOnly: _only, record: _record, ...more } = settings;
  return previewPlan(project, join(await realpath(project), file), { ...more, text });
}

/** Names the argument as given: the project folder has no path inside itself. */
async function refuseFolder(named: string): Promise<void> {
  const found = await stat(named).catch(() => undefined);
  if (found?.isDirectory() !== true) return;
  throw divisiError('PLAN_UNREADABLE', {
    message: `${named} cannot be read: it is a folder`,
    next: 'Name a plan file; `divisi run` without one lists what there is.',
    ids: { file: named },
  });
}

async function planWork(project: string, named: string): Promise<NewWork> {
  await refuseFolder(named);
  const real = await realpath(named).catch(() => absolute(named));
  const file = relative(await realpath(project), real)
    .split(sep)
    .join('/');
  return {
    shown: named,
    file,
    wanted: async () => ({ stem: stemOf(file), ...planHead((await readPlanText(real, named)).text, file) }),
  };
}

interface Given {
  readonly project: string;
  readonly options: RunCommandOptions;
  readonly settings: StartSettings;
}

async function follow(decision: NewWorkDecision, given: Given, begin: () => Promise<Answer>): Promise<Answer> {
  const { project, options, settings } = given;
  switch (decision.go) {
    case 'new':
      return begin();
    case 'quit':
      return quit();
    case 'on': {
      const { work } = decision;
      if (work.kind === 'run' && settings.planOnly === true && work.planFile !== '') {
        return (await import('../look/show.ts')).show(project, work.row.run);
      }
      const { mode, ...more } = options;
      if (work.kind === 'run') return goOn(project, [work.row.run], mode === 'plan' ? more : options, isTerminal());
      if (await isArchitectPlan(project, work.planFile)) {
        // The person has not named this file: shown before it starts.
        const then = settings.planOnly === true ? 'show' : 'run';
        return (await import('./after-architect.ts')).proposePlan(project, work.planFile, { settings, then });
      }
      return startPlan(project, join(project, work.planFile), work.planFile, settings);
    }
    default:
      return decision satisfies never;
  }
}

function quit(): Answer {
  return { code: exitCodes.cancelled, json: undefined, text: 'nothing was started' };
}

/** A resumed run keeps its settings. */
async function goOn(
  project: string,
  words: readonly string[],
  options: RunCommandOptions,
  confirms?: boolean,
): Promise<Answer> {
  const given = (['concurrency', 'driver', 'record', 'mode'] as const).filter((name) => options[name] !== undefined);
  if (given.length > 0) {
    throw divisiError('USAGE', {
      message: `--${given.join(', --')}: a resumed run keeps its settings`,
      next: 'Leave it out, or start a new run.',
    });
  }
  const { json, onTrouble } = options;
  return resume(project, resumeWords(words), defined({ json, onTrouble, confirms }));
}
