/** Looks for similar unfinished work before new work starts; a person or an option decides. */
import { join, relative } from 'node:path';
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { shellWord } from '../../plan/values/command-words.ts';
import { similarPlans, type Wanted } from '../../plan/similar-plans.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { openRuns, type OpenWork, waitingPlans, workLine } from '../../project/open-work.ts';
import { isSamePlan } from '../../project/plan-file.ts';
import { ask, isTerminal } from '../ask.ts';

export interface NewWork {
  /** Name in messages. */
  readonly shown: string;
  /** Path of its plan, relative to the project. */
  readonly file?: string;
  /** Called only if there is work to compare with. */
  readonly wanted: () => Promise<Wanted>;
}

export interface Preference {
  readonly new?: boolean;
  readonly resume?: boolean;
  readonly json?: boolean;
}

export type NewWorkDecision = { readonly go: 'new' | 'quit' } | { readonly go: 'on'; readonly work: OpenWork };

/** `divisi list` has the rest. */
const mostShown = 9;

interface Found {
  readonly same?: OpenWork;
  readonly similar: readonly OpenWork[];
}

async function find(project: string, { file, wanted }: NewWork): Promise<Found> {
  const ledger = readLedger(project);
  try {
    const isOwn = ({ planFile }: OpenWork): boolean => file !== undefined && isSamePlan(planFile, file);
    const runs = openRuns(ledger);
    const same = runs.find(isOwn);
    if (same !== undefined) return { same, similar: [] };
    const others = [...runs, ...(await waitingPlans(project, ledger))].filter((work) => !isOwn(work));
    return { similar: others.length === 0 ? [] : similarPlans(await wanted(), others) };
  } finally {
    ledger.close();
  }
}

function similarError(project: string, shown: string, similar: readonly OpenWork[]): Error {
  const lines = similar.slice(0, mostShown).map((work) => `${workLine(work)}: ${commandFor(project, work)}`);
  const rest = similar.length - lines.length;
  const [best] = similar;
  return divisiError('PLAN_SIMILAR', {
    message: [
      `${oneLine(shown, 200)} may be about work that is not finished:`,
      ...lines,
      ...(rest > 0 ? [`and ${rest} more`] : []),
    ].join('\n'),
    next: '`--resume` resumes the first of them, `--new` starts over. Nothing was started.',
    ids: best === undefined ? {} : best.kind === 'run' ? { run: best.row.run } : { file: best.planFile },
  });
}

/** Refused (PLAN_SIMILAR) if no person can be asked and no option decides. */
export async function decideNewWork(project: string, work: NewWork, preference: Preference): Promise<NewWorkDecision> {
  if (preference.new === true) return { go: 'new' };
  const { same, similar } = await find(project, work);
  const canAsk = isTerminal() && preference.json !== true;
  if (same !== undefined) {
    if (preference.resume === true) return { go: 'on', work: same };
    // Not resumed from here, or no person to ask: starting it is refused with what to do.
    if (!canAsk || !isResumable(same)) return { go: 'new' };
    const about = `${oneLine(work.shown, 200)} has an unfinished run.`;
    const choice = await ask({ about, choices: [`resume ${workLine(same)}`] });
    return choice === 0 ? { go: 'on', work: same } : { go: 'quit' };
  }
  const [best] = similar;
  if (best === undefined) return { go: 'new' };
  if (preference.resume === true) return { go: 'on', work: best };
  if (!canAsk) throw similarError(project, work.shown, similar);
  const offered = similar.slice(0, mostShown);
  const choice = await ask({
    about: `${oneLine(work.shown, 200)} may be about work that is not finished.`,
    choices: offered.map(choiceLine),
    fresh: `begin ${oneLine(work.shown, 200)}`,
  });
  if (choice === 'new' || choice === 'quit') return { go: choice };
  return { go: 'on', work: offered[choice] ?? best };
}

export function choiceLine(work: OpenWork): string {
  return `${work.kind === 'plan' ? 'run' : 'resume'} ${workLine(work)}`;
}

/** The command that resumes it from this folder. */
export function commandFor(project: string, work: OpenWork): string {
  if (work.kind === 'plan') return `divisi run ${shellWord(relative(process.cwd(), join(project, work.planFile)))}`;
  return `divisi ${isResumable(work) ? 'resume' : 'status'} ${work.row.run}`;
}

/** False while a process works on the run, or where a conversation has to. */
function isResumable(work: OpenWork): boolean {
  return work.kind === 'plan' || !(work.state === 'running' || work.row.kind === 'conducted');
}
