/** Chooses what the tool `run` was asked for: a plan, an existing run, a preview, or a list of open work. */
import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { DivisiError, divisiError } from '../base/error.ts';
import { isOver } from '../core/state/state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { readLedger } from '../project/project-ledger.ts';
import { planRun } from '../runtime/plans/plan-run.ts';
import { findRun } from '../project/find-run.ts';
import { foldRun } from '../ledger/fold-run.ts';
import { listOpenWork } from '../project/open-work.ts';
import { isSamePlan } from '../project/plan-file.ts';
import { resumeArguments, type ResumeRequest, resumeWords } from '../project/resume-words.ts';
import { planBrief } from '../views/brief/plan-brief.ts';
import { runBrief } from '../views/brief/run-brief.ts';
import { runReport } from '../views/run/run-report.ts';
import { shownPlan } from '../views/run/show-plan.ts';
import { workBrief } from '../views/brief/list-brief.ts';
import type { ServerDeps } from './server-deps.ts';
import type { ToolRunRequest } from './tools/run.ts';
import type { Inputs } from './tools/tools.ts';

export type RunChoice = { readonly text: string } | { readonly request: ToolRunRequest };

export async function chooseRun(deps: ServerDeps, { plan, resume, mode }: Inputs['run']): Promise<RunChoice> {
  if (plan !== undefined && resume !== undefined) {
    throw divisiError('USAGE', {
      message: 'plan and resume cannot be combined',
      expected: 'plan or resume',
      next: 'Give one of them; the plan of an unfinished run resumes that run.',
    });
  }
  const ledger = readLedger(deps.project);
  try {
    if (plan !== undefined) return await choosePlan(deps, ledger, plan, mode);
    if (resume !== undefined) return chooseResume(ledger, resumeWords([resume]), mode);
    const works = (await listOpenWork(deps.project, ledger)).map((work) =>
      work.kind === 'plan' ? work : { ...work, run: work.row.run, status: work.state },
    );
    return { text: workBrief(works) };
  } finally {
    ledger.close();
  }
}

/** Runs of the plan at this absolute path, newest first. */
export async function runsOf(project: string, ledger: LedgerReader, file: string): Promise<RunRow[]> {
  const inside = relative(await realpath(project), await realpath(file).catch(() => file));
  const name = inside.split(sep).join('/');
  return ledger.runs().filter(({ planFile }) => isSamePlan(planFile, name));
}

async function choosePlan(
  { project }: ServerDeps,
  ledger: LedgerReader,
  plan: string,
  mode: Inputs['run']['mode'],
): Promise<RunChoice> {
  // Absolute: cannot be read as an option.
  const file = resolve(project, plan);
  if (mode === 'plan') return { text: planBrief(shownPlan(await planRun(file, { project }))) };
  const runs = await runsOf(project, ledger, file);
  const row = runs.find(({ status }) => !isOver(status));
  if (row !== undefined) return { request: { row } };
  if (await isWorkLeft(project, file, runs.length > 0)) {
    return {
      request: { plan: file, words: ['run', '--json', file, '--new', ...(mode === undefined ? [] : ['--mode', mode])] },
    };
  }
  // A client that was killed while it waited calls again and gets the result.
  return { text: runBrief(runReport(foldRun(ledger, findRun(ledger, runs[0]?.run).run))) };
}

/** Refuses an unusable plan before a process starts, unless it was run and has been completed or renamed since. */
async function isWorkLeft(project: string, file: string, wasRun: boolean): Promise<boolean> {
  try {
    const { tasks } = await planRun(file, { project });
    return !wasRun || [...tasks.values()].some(({ progress }) => progress.status !== 'completed');
  } catch (error) {
    if (wasRun && error instanceof DivisiError && error.code === 'PLAN_UNREADABLE') return false;
    throw error;
  }
}

/** A run resumes in the mode it started with. */
function chooseResume(ledger: LedgerReader, request: ResumeRequest, mode: Inputs['run']['mode']): RunChoice {
  const { run: name } = request;
  const row = findRun(ledger, name);
  if (mode === 'plan') return { text: planBrief(shownPlan(foldRun(ledger, row.run))) };
  const how = resumeArguments(request);
  // A cancelled run is resumed only by name: the command refuses otherwise.
  if (name === undefined && row.status === 'cancelled') return { request: { words: ['resume', '--json', ...how] } };
  return { request: { row, how } };
}
