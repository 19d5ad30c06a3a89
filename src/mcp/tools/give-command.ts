/**
 * Runs a command of the tool `run` as its own process and follows it in the ledger. Waits for one that is already running, so a client
 * that was killed can call again.
 */
import { workflowAs } from '../../core/event/run-kind.ts';
import { createdRun } from '../../ledger/created-run.ts';
import { isDeepStrictEqual } from 'node:util';
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import type { EventOf } from '../../core/event/event.ts';
import { readFeatures } from '../../core/features/feature-list.ts';
import { isOver } from '../../core/state/state.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { readInside } from '../../workspace/project-path.ts';
import type { Caller, ToolAnswer } from '../caller.ts';
import { parseCommand, type GivenCommand } from './parse-command.ts';
import type { ServerDeps } from '../server-deps.ts';
import { afterQuestion, type ToolRunRequest, runAndWait } from './run.ts';
import type { Inputs } from './tools.ts';

export async function giveCommand(deps: ServerDeps, input: Inputs['run'], caller: Caller): Promise<ToolAnswer> {
  const { command = '', plan, resume, here, mode } = input;
  if (plan !== undefined || resume !== undefined || here === true) {
    throw divisiError('USAGE', {
      message: 'command cannot be combined with plan, resume or here',
      expected: 'command, without plan, resume and here',
      next: 'Give the command alone; it has its own agents.',
    });
  }
  const going = await afterQuestion(deps, caller);
  if (going !== undefined) return going;
  const given = parseCommand(command);
  // Goals were planned earlier: this text names a plan's file.
  if (given.kind === 'architect') return lookAtPlan(deps, given.text);
  if (mode === 'plan') {
    return { text: 'Not started: plan mode delegates nothing.\nnext: the person leaves plan mode.' };
  }
  if (given.kind === 'task-list') return (await import('./task-list.ts')).askTaskList(deps, given.call);
  const read = given.kind === 'features' ? await withFile(deps, given) : given;
  return runAndWait(deps, runRequest(deps, withMode(read, mode)), caller);
}

type GivenRun = Exclude<GivenCommand, { kind: 'task-list' | 'architect' }>;

/** Characters: it becomes one argument of a process. */
const longestFile = 20_000;

type GivenFeatures = Extract<GivenRun, { kind: 'features' }>;

/** Reads the named file here, inside the project only, so the same content matches the same features later. */
async function withFile({ project }: ServerDeps, given: GivenFeatures): Promise<GivenFeatures> {
  const { text, words } = given;
  if (!/^\S+\.(?:md|txt|markdown)$/i.test(text)) return given;
  const content = await readInside(project, text);
  if (content !== undefined && content.length <= longestFile)
    return { ...given, text: content, words: [...words.slice(0, -1), content] };
  throw divisiError('USAGE', {
    message: `no file ${oneLine(text, 200)} of at most ${longestFile} characters in this project`,
    next: 'Name a file of the project, or list the features in the command.',
  });
}

/** Only features have checkpoints. */
function withMode(given: GivenRun, mode: Inputs['run']['mode']): GivenRun {
  const [command = '', ...rest] = given.words;
  return given.kind !== 'features' || mode === undefined
    ? given
    : { ...given, words: [command, '--mode', mode, ...rest] };
}

async function lookAtPlan(deps: ServerDeps, plan: string): Promise<ToolAnswer> {
  const chosen = await (await import('../choose-run.ts')).chooseRun(deps, { plan, mode: 'plan' });
  if ('text' in chosen) return chosen;
  throw new Error('expected a preview of the plan');
}

/** A task command finds its own unfinished run; features join an unfinished run of the same features. */
function runRequest({ project }: ServerDeps, given: GivenRun): ToolRunRequest {
  const ledger = readLedger(project);
  try {
    const row = ledger.runs({ kind: given.kind }).find((one) => {
      if (isOver(one.status) || !isSame(createdRun(ledger, one.run), given)) return false;
      return given.kind !== 'command' || livingHolder(ledger, one.run) !== null;
    });
    if (row !== undefined) return { row };
    return { words: given.words, joins: ({ created }) => isSame(created, given) };
  } finally {
    ledger.close();
  }
}

/** A command without a prompt matches any prompt. */
function isSame(created: EventOf<'run.created'> | undefined, given: GivenRun): boolean {
  if (created === undefined) return false;
  if (given.kind === 'features') {
    return isDeepStrictEqual(workflowAs(created, 'features')?.features, readFeatures(given.text));
  }
  const about = workflowAs(created, 'command');
  const isAbout = about?.command === given.command && about.number === given.number;
  return isAbout && (given.text === '' || created.plan.goal === given.text);
}
