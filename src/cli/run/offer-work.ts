/** `divisi run` without a plan: offers unfinished runs and waiting plans. */
import { type DivisiError, divisiError } from '../../base/error.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { type OpenWork, listOpenWork, openRuns, waitingPlans, workLine } from '../../project/open-work.ts';
import { ask, isTerminal } from '../ask.ts';
import { choiceLine, commandFor, type NewWorkDecision } from './new-work.ts';

const mostShown = 20;

async function offeredHere(project: string): Promise<OpenWork[]> {
  const ledger = readLedger(project);
  try {
    return await listOpenWork(project, ledger);
  } finally {
    ledger.close();
  }
}

function nothingNamed(project: string, works: readonly OpenWork[]): DivisiError {
  const lines = works.slice(0, mostShown).map((work) => `${workLine(work)}: ${commandFor(project, work)}`);
  const rest = works.length - lines.length;
  if (lines.length === 0) {
    return divisiError('USAGE', {
      message: 'there is nothing to run: no plan was named, and none is waiting here',
      expected: 'a plan, a description, or `resume`',
      next: 'Write a plan (docs/plans.md shows how) and run it: `divisi run plan.md`.',
    });
  }
  return divisiError('USAGE', {
    message: ['no plan was named. Available:', ...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'),
    expected: 'a plan, a description, or `resume`',
    next: 'Run one of these commands, or name another plan.',
  });
}

/** A person chooses; without a terminal, refused (USAGE) with the list. */
export async function offerWork(project: string, asJson: boolean): Promise<NewWorkDecision> {
  const works = await offeredHere(project);
  const offered = works.slice(0, mostShown);
  if (works.length === 0 || asJson || !isTerminal()) throw nothingNamed(project, works);
  const choice = await ask({ about: 'No plan was named. Available:', choices: offered.map(choiceLine) });
  const work = typeof choice === 'number' ? offered[choice] : undefined;
  return work === undefined ? { go: 'quit' } : { go: 'on', work };
}

/** Where no run is unfinished, `resume` is about the plans whose names say they were begun. */
export async function isAboutPlans(project: string): Promise<boolean> {
  const ledger = readLedger(project);
  try {
    return openRuns(ledger).length === 0 && (await waitingPlans(project, ledger)).length > 0;
  } finally {
    ledger.close();
  }
}
