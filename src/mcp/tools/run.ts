/**
 * The tool `run`: starts or resumes a run, or attaches to the process that works on it, and waits. Safe to repeat: finished work is not
 * started again, running work is waited for, open checkpoints are asked. A reply arrives as another round of the same call (`replies`).
 */
import { DivisiError, divisiError } from '../../base/error.ts';
import type { RunId } from '../../base/ids.ts';
import type { RunState } from '../../core/state/state.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { stopRun } from '../../runtime/runtime.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { findRun } from '../../project/find-run.ts';
import { shownStatusOf } from '../../project/shown-status-of.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { briefOf } from '../brief-of.ts';
import { sendReply, questionFor, replyIn } from '../ask-person.ts';
import { type Caller, isCancelledByPerson, type ToolAnswer } from '../caller.ts';
import { followRun } from '../follow-run.ts';
import type { ServerDeps } from '../server-deps.ts';
import { startDivisi } from '../start-divisi.ts';

interface NewRunRequest {
  /** With `--json`. */
  readonly words: readonly string[];
  /** Absolute; a plan that needs confirmation. */
  readonly plan?: string;
  /** Decides whether the conflicting run is the requested one; default: always. */
  readonly joins?: (state: RunState) => boolean;
}

/** An existing run, or the command line that starts one. */
export type ToolRunRequest =
  | { readonly row: RunRow; /** Arguments for where to resume. */ readonly how?: readonly string[] }
  | NewRunRequest;

export async function runAndWait(deps: ServerDeps, request: ToolRunRequest, caller: Caller): Promise<ToolAnswer> {
  if ('words' in request) return wait(deps, await startOrJoin(deps, request), caller);
  const { row, how = [] } = request;
  const { state, isHeld } = lookAt(deps, row.run);
  const words = ['resume', '--json', row.run, ...how];
  if (isHeld && how.length === 0) return wait(deps, row.run, caller);
  const question = isHeld ? undefined : questionFor(state, caller);
  // Resuming without an answer would open the same question.
  if (question !== undefined && how.length === 0) return rest(state, caller);
  return wait(deps, await startOrJoin(deps, { words }), caller);
}

/** Handles a person's reply: records the answer and continues the run, or leaves an unanswered run as it is. */
export async function afterQuestion(deps: ServerDeps, caller: Caller): Promise<ToolAnswer | undefined> {
  const reply = replyIn(caller);
  if (reply === undefined) return undefined;
  const ledger = readLedger(deps.project);
  const { run } = findRun(ledger, reply.run);
  ledger.close();
  if (reply.choice === null) {
    const { state, isLost } = lookAt(deps, run);
    return { text: briefOf(state, isLost ? { shown: 'interrupted' } : {}) };
  }
  await sendReply(deps, reply);
  const { state, isHeld } = lookAt(deps, run);
  if (isHeld) return wait(deps, run, caller, new Set([reply.checkpoint]));
  if (state.status !== 'paused' || questionFor(state, caller) !== undefined) return rest(state, caller);
  return wait(deps, await startOrJoin(deps, { words: ['resume', '--json', run] }), caller);
}

/** When two starts collide, the loser waits for the winner's run. */
async function startOrJoin(deps: ServerDeps, { words, joins = () => true }: NewRunRequest): Promise<RunId> {
  try {
    return await startDivisi(deps, words);
  } catch (error) {
    const run = error instanceof DivisiError ? error.ids['run'] : undefined;
    const isTaken = error instanceof DivisiError && (error.code === 'RUN_UNFINISHED' || error.code === 'LEASE_HELD');
    const look = isTaken && typeof run === 'string' ? lookAt(deps, run as RunId) : undefined;
    if (look?.isHeld === true && joins(look.state)) return look.state.created.run;
    throw error;
  }
}

async function wait(
  deps: ServerDeps,
  run: RunId,
  caller: Caller,
  answered: ReadonlySet<string> = new Set(),
): Promise<ToolAnswer> {
  const { signal, seen } = caller;
  const followed = await followRun({ project: deps.project, run, signal, seen, answered });
  if (followed !== undefined) return rest(followed.state, caller, followed.isInterrupted);
  if (isCancelledByPerson(signal)) await pause(deps, run);
  return { text: briefOf(lookAt(deps, run).state) };
}

function rest(state: RunState, caller: Caller, isInterrupted = false): ToolAnswer {
  const question = caller.canAsk && !isInterrupted ? questionFor(state, caller) : undefined;
  return question === undefined
    ? { text: briefOf(state, isInterrupted ? { shown: 'interrupted' } : {}) }
    : { ask: question };
}

/** Asks the process to pause; its agents get time to finish. */
async function pause({ project, environment, warn }: ServerDeps, run: RunId): Promise<void> {
  const ledger = readLedger(project);
  const row = findRun(ledger, run);
  const isHeld = livingHolder(ledger, run) !== null;
  ledger.close();
  if (!isHeld) return;
  await stopRun(row, 'pause', { project, environment, warn, seen: () => undefined, command: 'divisi mcp pause' });
}

interface Look {
  readonly state: RunState;
  readonly isHeld: boolean;
  readonly isLost: boolean;
}

function lookAt({ project }: ServerDeps, run: RunId): Look {
  const ledger = readLedger(project);
  try {
    const row = ledger.run(run);
    if (row === null)
      throw divisiError('RUN_UNKNOWN', { message: `there is no run ${run}`, next: 'status {} shows them.' });
    const isHeld = livingHolder(ledger, run) !== null;
    return { state: foldRun(ledger, run), isHeld, isLost: shownStatusOf(ledger, row) === 'interrupted' };
  } finally {
    ledger.close();
  }
}
