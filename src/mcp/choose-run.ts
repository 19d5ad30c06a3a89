/** What `run` was asked for: a plan or a run there is, a look at it, or what there is to choose from. */
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
import { workHere } from '../project/open-work.ts';
import { isSamePlan } from '../project/plan-file.ts';
import { resumeArguments, type ResumeRequest, resumeWords } from '../project/resume-words.ts';
import { planBrief } from '../views/brief/plan-brief.ts';
import { runBrief } from '../views/brief/run-brief.ts';
import { runReport } from '../views/run/run-report.ts';
import { shownPlan } from '../views/run/show-plan.ts';
import { workBrief } from '../views/brief/list-brief.ts';
import type { Place } from './place.ts';
import type { Begin } from './tools/run.ts';
import type { Inputs } from './tools/tools.ts';

export type Chosen = { readonly text: string } | { readonly begin: Begin };

export async function chooseRun(place: Place, { plan, resume, mode }: Inputs['run']): Promise<Chosen> {
  if (plan !== undefined && resume !== undefined) {
    throw divisiError('USAGE', {
      message: 'a plan is begun, or a run is resumed',
      expected: 'plan or resume',
      next: 'Give one of them: a plan whose run is unfinished goes on by its name as well.',
    });
  }
  const ledger = readLedger(place.project);
  try {
    if (plan !== undefined) return await choosePlan(place, ledger, plan, mode);
    if (resume !== undefined) return chooseResume(ledger, resumeWords([resume]), mode);
    const works = (await workHere(place.project, ledger)).map((work) =>
      work.kind === 'plan' ? work : { ...work, run: work.row.run, status: work.state },
    );
    return { text: workBrief(works) };
  } finally {
    ledger.close();
  }
}

/** Of a plan, by its absolute path; the newest first. */
export async function runsOf(project: string, ledger: LedgerReader, file: string): Promise<RunRow[]> {
  const inside = relative(await realpath(project), await realpath(file).catch(() => file));
  const name = inside.split(sep).join('/');
  return ledger.runs().filter(({ planFile }) => isSamePlan(planFile, name));
}

async function choosePlan(
  { project }: Place,
  ledger: LedgerReader,
  plan: string,
  mode: Inputs['run']['mode'],
): Promise<Chosen> {
  // Absolute: no name can be taken for an option.
  const file = resolve(project, plan);
  if (mode === 'plan') return { text: planBrief(shownPlan(await planRun(file, { project }))) };
  const runs = await runsOf(project, ledger, file);
  const row = runs.find(({ status }) => !isOver(status));
  if (row !== undefined) return { begin: { row } };
  if (await isWorkLeft(project, file, runs.length > 0)) {
    return {
      begin: { plan: file, words: ['run', '--json', file, '--new', ...(mode === undefined ? [] : ['--mode', mode])] },
    };
  }
  // Whoever was killed while they waited, and asks again, is told what came of it.
  return { text: runBrief(runReport(foldRun(ledger, findRun(ledger, runs[0]?.run).run))) };
}

/** What cannot be run is refused here, before a process is started for it; unless it was run, and is ticked off or renamed since. */
async function isWorkLeft(project: string, file: string, wasRun: boolean): Promise<boolean> {
  try {
    const { tasks } = await planRun(file, { project });
    return !wasRun || [...tasks.values()].some(({ progress }) => progress.status !== 'completed');
  } catch (error) {
    if (wasRun && error instanceof DivisiError && error.code === 'PLAN_UNREADABLE') return false;
    throw error;
  }
}

/** A run goes on in the mode it began with. */
function chooseResume(ledger: LedgerReader, request: ResumeRequest, mode: Inputs['run']['mode']): Chosen {
  const { run: name } = request;
  const row = findRun(ledger, name);
  if (mode === 'plan') return { text: planBrief(shownPlan(foldRun(ledger, row.run))) };
  const how = resumeArguments(request);
  // Cancelled is cancelled, unless it is called by its name: the command says so.
  if (name === undefined && row.status === 'cancelled') return { begin: { words: ['resume', '--json', ...how] } };
  return { begin: { row, how } };
}
