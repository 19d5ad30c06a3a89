/**
 * A command through the tool `run`: the same process as in a terminal, of its own, followed in the ledger. One that is under way is
 * waited for, and one that was interrupted goes on: a client that was killed gives it again.
 */
import { tuttiError } from '../contracts/error.ts';
import { isOver } from '../core/state.ts';
import type { EventOf } from '../core/event.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { readLedger } from '../scheduler/project-ledger.ts';
import type { Caller, ToolAnswer } from './caller.ts';
import { commandWords, type GivenCommand } from './command-words.ts';
import type { Place } from './place.ts';
import { afterQuestion, runAndWait } from './run.ts';
import type { Inputs } from './tools.ts';

export async function giveCommand(place: Place, input: Inputs['run'], caller: Caller): Promise<ToolAnswer> {
  const { command = '', plan, resume, here, mode } = input;
  if (plan !== undefined || resume !== undefined || here === true) {
    throw tuttiError('USAGE', {
      message: 'a command is given alone',
      expected: 'command, without plan, resume and here',
      next: 'Give the command alone; its agents are its own.',
    });
  }
  const going = await afterQuestion(place, caller);
  if (going !== undefined) return going;
  const given = commandWords(command);
  if (mode === 'plan')
    return { text: 'Not begun: in plan mode nothing is delegated.\nnext: the person leaves plan mode.' };
  if (given.kind === 'book') return (await import('./task-book.ts')).askTaskBook(place, given.words);
  const row = unfinished(place, given);
  return runAndWait(place, row === undefined ? { words: given.words } : { row }, caller);
}

type GivenRun = Exclude<GivenCommand, { kind: 'book' }>;

function unfinished({ project }: Place, given: GivenRun): RunRow | undefined {
  const ledger = readLedger(project);
  try {
    return ledger
      .runs()
      .find((row) => !isOver(row.status) && row.planFile === '' && isSame(createdOf(ledger, row), given));
  } finally {
    ledger.close();
  }
}

/** The first event of a run says what it is. */
function createdOf(ledger: LedgerReader, { run }: RunRow): EventOf<'run.created'> | undefined {
  for (const event of ledger.read(run)) return event.kind === 'run.created' ? event : undefined;
  return undefined;
}

function isSame(created: EventOf<'run.created'> | undefined, given: GivenRun): boolean {
  const { workflow, plan } = created ?? {};
  if (given.kind === 'command') {
    return workflow?.kind === 'command' && workflow.command === given.command && workflow.number === given.number;
  }
  return workflow?.kind === given.kind && plan?.goal.trim() === given.text.trim();
}
