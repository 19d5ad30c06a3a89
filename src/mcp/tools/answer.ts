/** The tool `answer`: passes a person's answer to a checkpoint on to the run, with or without a running process. */
import { defined } from '../../base/defined.ts';
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import { answerRun } from '../../runtime/runtime.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { chooseCheckpoints, longestNote } from '../../core/decide/answer-events.ts';
import { findRun } from '../../project/find-run.ts';
import { callText } from '../../views/brief/next-call.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { questionFor, replyIn } from '../ask-person.ts';
import type { Caller, FormRequest, ToolAnswer } from '../caller.ts';
import type { ServerDeps } from '../server-deps.ts';
import { conductedBrief } from './status.ts';
import type { Inputs } from './tools.ts';

/**
 * Asks the person where the client can, whatever the model says. Otherwise the permission to use this tool is the
 * answer.
 */
export async function answerTool(deps: ServerDeps, input: Inputs['answer'], caller: Caller): Promise<ToolAnswer> {
  const reply = replyIn(caller);
  if (reply !== undefined) {
    const { run, checkpoint, choice } = reply;
    if (choice === null) {
      const next = `the person answers in a terminal: \`divisi approve ${run}\` or \`divisi reject ${run}\`.`;
      return { text: `Not answered: the form was closed without a choice.\nnext: ${next}` };
    }
    const { approved: approve, ...more } = choice;
    return give(deps, { run, checkpoint, approve, ...more });
  }
  const ask = caller.canAsk ? questionOf(deps, input, caller) : undefined;
  if (ask !== undefined) return { ask };
  refuseEdit(deps, input);
  return give(deps, input);
}

/** A model may have edited the plan, commands included: only a person approves that. */
function refuseEdit({ project }: ServerDeps, { run, checkpoint, approve }: Inputs['answer']): void {
  const ledger = readLedger(project);
  try {
    const state = foldRun(ledger, findRun(ledger, run).run);
    const named = checkpoint === undefined ? {} : { checkpoint };
    const asked = chooseCheckpoints(state, { approved: approve, ...named });
    if (!approve || !asked.some(({ kind }) => kind === 'edit')) return;
    throw divisiError('USAGE', {
      message: 'only a person approves an edit of the plan',
      next: `The person answers in a terminal: \`divisi approve ${state.created.run}\`.`,
      ids: { run: state.created.run },
    });
  } finally {
    ledger.close();
  }
}

/** Throws (CHECKPOINT_UNKNOWN) where no such checkpoint is open. */
function questionOf(
  { project }: ServerDeps,
  { run, checkpoint }: Inputs['answer'],
  caller: Caller,
): FormRequest | undefined {
  const ledger = readLedger(project);
  try {
    const state = foldRun(ledger, findRun(ledger, run).run);
    const [asked] = chooseCheckpoints(state, { approved: true, ...defined({ checkpoint }) });
    return questionFor(state, caller, asked?.id);
  } finally {
    ledger.close();
  }
}

async function give(deps: ServerDeps, input: Inputs['answer']): Promise<ToolAnswer> {
  const { approve: approved, checkpoint, note } = input;
  if (note !== undefined && note.length > longestNote) {
    throw divisiError('USAGE', {
      message: `the note has ${note.length} characters; nothing was answered`,
      expected: `at most ${longestNote} characters`,
      next: 'Shorten it, or put the rest into a file and name the file.',
    });
  }
  const { project, environment, warn } = deps;
  const ledger = readLedger(project);
  const row = findRun(ledger, input.run);
  ledger.close();
  const said = {
    approved,
    ...defined({ note, checkpoint }),
  };
  const options = { project, environment, warn, seen: () => undefined, command: `divisi mcp answer ${row.run}` };
  const { delivered, status, answered } = await answerRun(row, said, options);
  const says = approved ? 'approved' : 'rejected';
  const names = oneLine(answered.map((one) => one.checkpoint).join(', '), 100);
  if (row.kind === 'conducted' && status === 'running')
    return { text: `${names} ${says}.\n${await conductedBrief(deps, row.run)}` };
  const resume = callText('run', { resume: row.run, ...(row.kind === 'conducted' ? { here: true } : {}) });
  const next = delivered
    ? `its process continues; ${resume} waits for it.`
    : status === 'cancelled'
      ? `this cancelled the run; ${resume} resumes it.`
      : `${resume} continues it.`;
  return { text: `${names} ${says}.\nnext: ${next}` };
}
