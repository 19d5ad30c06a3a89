/**
 * The tool `run` with a goal: an architect writes the plan in its own process and a person confirms it. The same goal
 * continues its earlier run; nothing is planned twice.
 */
import { workflowAs } from '../../core/event/run-kind.ts';
import { failureOf } from '../../core/event/make-outcome.ts';
import { createdRun } from '../../ledger/created-run.ts';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DivisiError, divisiError } from '../../base/error.ts';
import { questionsIn } from '../../core/workflow/architect-questions.ts';
import { isOver, type RunState } from '../../core/state/state.ts';
import type { LedgerReader } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { requestTitle } from '../../runtime/plans/architect-task.ts';
import { findRun } from '../../project/find-run.ts';
import { storeArchitectPlan, readArchitectPlan } from '../../runtime/plans/store-architect-plan.ts';
import { readProposed } from '../../runtime/plans/plan-run.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { runTarget } from '../../project/run-target.ts';
import { resumeWords } from '../../project/resume-words.ts';
import { goalQuestions } from '../../views/brief/plan-brief.ts';
import { planBrief } from '../../views/brief/plan-brief.ts';
import { callText } from '../../views/brief/next-call.ts';
import type { Caller, ToolAnswer } from '../caller.ts';
import { runsOf } from '../choose-run.ts';
import { parseCommand } from './parse-command.ts';
import { confirmProposed } from '../confirm-plan.ts';
import type { ServerDeps } from '../server-deps.ts';
import { runAndWait } from './run.ts';
import type { Inputs } from './tools.ts';

/** A goal in words, and the run that plans it, if one exists. */
interface Goal {
  readonly request: string;
  readonly row?: RunRow;
  /** Set for the command `plan`, which only shows the plan, as in a terminal. */
  readonly isOnlyShown?: boolean;
}

type Input = Inputs['run'];

/** The input as given, the input with the plan written for its goal, or an answer to return first. */
export async function planFirst(
  deps: ServerDeps,
  input: Input,
  mode: Input['mode'],
  caller: Caller,
): Promise<ToolAnswer | { readonly input: Input }> {
  const goal = goalIn(deps, input);
  if (goal === undefined) return { input };
  const planned = await planGoal(deps, goal, goal.isOnlyShown === true ? 'plan' : mode, caller);
  if (!('plan' in planned)) return planned;
  const { resume: _done, ...more } = input;
  return { input: { ...more, plan: planned.plan } };
}

/** Undefined where the input names a plan, a run of one, or nothing. */
function goalIn({ project }: ServerDeps, { plan, resume, command, here }: Input): Goal | undefined {
  if (command !== undefined) {
    // `giveCommand` refuses these.
    if (plan !== undefined || resume !== undefined || here === true) return undefined;
    const given = /^\s*\/?(?:divisi:)?plan\s/.test(command) ? parseCommand(command) : undefined;
    if (given?.kind !== 'architect' || namesPlan(project, given.text)) return undefined;
    return withLedgerOf(project, (ledger) => ({ ...runOf(ledger, given.text.trim()), isOnlyShown: true }));
  }
  if (plan !== undefined && resume === undefined) {
    const request = plan.trim();
    const isPath = !/\s/.test(request) || /\.md$/i.test(request) || existsSync(resolve(project, plan));
    return isPath ? undefined : withLedgerOf(project, (ledger) => runOf(ledger, request));
  }
  if (plan !== undefined || resume === undefined) return undefined;
  const { run: name, from } = resumeWords([resume]);
  if (from !== undefined) return undefined;
  return withLedgerOf(project, (ledger) => {
    const row = findRun(ledger, name);
    const request = requestOf(ledger, row);
    return request === undefined ? undefined : { request, row };
  });
}

/** `plan docs/plan.md` shows that file, as in a terminal. */
function namesPlan(project: string, text: string): boolean {
  return runTarget([text], (path) => existsSync(resolve(project, path))).kind === 'plan';
}

/** The plan, or an answer to return first. */
async function planGoal(
  deps: ServerDeps,
  { request, row }: Goal,
  mode: Input['mode'],
  caller: Caller,
): Promise<ToolAnswer | { readonly plan: string }> {
  const { project } = deps;
  if (row === undefined || row.status !== 'completed') {
    const waited = await delegate(deps, request, row, caller);
    if (!('row' in waited)) return waited;
    return presentPlan(deps, stateOf(project, waited.row), mode, caller);
  }
  return presentPlan(deps, stateOf(project, row), mode, caller);
}

async function delegate(
  deps: ServerDeps,
  request: string,
  row: RunRow | undefined,
  caller: Caller,
): Promise<ToolAnswer | { readonly row: RunRow }> {
  const begin = row === undefined ? { words: ['plan', '--json', '--', request] } : { row };
  const answer = await runAndWait(deps, begin, caller).catch((error: unknown) => {
    throw inToolWords(error);
  });
  const now = withLedgerOf(deps.project, (ledger) =>
    row === undefined ? newestOf(ledger, request) : findRun(ledger, row.run),
  );
  if (now === undefined) return answer;
  if (now.status === 'completed') return { row: now };
  const questions = now.status === 'failed' ? await questionsOf(deps.project, now) : [];
  return questions.length === 0 ? answer : { text: goalQuestions(questions) };
}

/** Turns the terminal's advice into tool calls. */
function inToolWords(error: unknown): unknown {
  if (!(error instanceof DivisiError) || error.code !== 'PLAN_SIMILAR') return error;
  const calls = `${callText('run', { plan: 'PATH' })} or ${callText('run', { resume: 'RUN' })}`;
  const next = `${calls} continues one of them. Only if the person still wants a new plan: \`divisi plan "…" --new\`.`;
  return divisiError(error.code, { message: error.message, next, ids: error.ids });
}

async function presentPlan(
  deps: ServerDeps,
  state: RunState,
  mode: Input['mode'],
  caller: Caller,
): Promise<ToolAnswer | { readonly plan: string }> {
  const { project } = deps;
  const file = join(project, await storeArchitectPlan(project, state));
  const proposed = await readProposed(file, { project });
  const brief = { text: planBrief(proposed.plan) };
  if (mode === 'plan') return brief;
  const ledger = readLedger(project);
  try {
    if ((await runsOf(project, ledger, file)).length > 0) return { plan: file };
  } finally {
    ledger.close();
  }
  const answer = confirmProposed(proposed, caller);
  if (answer === 'unasked') return brief;
  return answer === 'yes' || answer === 'without commands' ? { plan: file } : answer;
}

async function questionsOf(project: string, row: RunRow): Promise<string[]> {
  const state = stateOf(project, row);
  const unclear = [...state.tasks.values()].some(({ progress }) => {
    return progress.status === 'blocked' && failureOf(progress.outcome)?.class === 'unclear';
  });
  return unclear ? questionsIn((await readArchitectPlan(project, state)) ?? '') : [];
}

/** Ignores a failed run: the goal is planned again. */
function runOf(ledger: LedgerReader, request: string): Goal {
  const row = newestOf(ledger, request);
  const isOfUse = row !== undefined && (row.status === 'completed' || !isOver(row.status));
  return isOfUse ? { request, row } : { request };
}

function newestOf(ledger: LedgerReader, request: string): RunRow | undefined {
  const title = requestTitle(request);
  const isSame = (one: RunRow): boolean => one.title === title && requestOf(ledger, one) === request;
  return ledger.runs({ kind: 'architect' }).find(isSame);
}

function requestOf(ledger: LedgerReader, { run, kind }: RunRow): string | undefined {
  const created = kind === 'architect' ? createdRun(ledger, run) : undefined;
  return created === undefined ? undefined : workflowAs(created, 'architect')?.request;
}

function withLedgerOf<T>(project: string, look: (ledger: LedgerReader) => T): T {
  const ledger = readLedger(project);
  try {
    return look(ledger);
  } finally {
    ledger.close();
  }
}

const stateOf = (project: string, { run }: RunRow): RunState => withLedgerOf(project, (ledger) => foldRun(ledger, run));
