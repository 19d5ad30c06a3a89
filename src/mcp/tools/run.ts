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
import { findRun, isInterrupted } from '../../project/find-run.ts';
import { foldRun } from '../../ledger/fold-run.ts';
import { livingHolder } from '../../project/with-lease.ts';
import { briefOf } from '../brief-of.ts';
import { giveReply, questionFor, replyIn } from '../ask-person.ts';
import { type Caller, isGivenUp, type ToolAnswer } from '../caller.ts';
import { followRun } from '../follow-run.ts';
import type { Place } from '../place.ts';
import { startRun } from '../start-run.ts';

interface BeginWords {
  /** With `--json`. */
  readonly words: readonly string[];
  /** Absolute; a plan that needs confirmation. */
  readonly plan?: string;
  /** Whether the run that is in the way is what was asked for; any is unless this says no. */
  readonly joins?: (state: RunState) => boolean;
}

/** A run there is, or the words that begin one. */
export type Begin =
  | { readonly row: RunRow; /** From where it goes on, where that was said. */ readonly how?: readonly string[] }
  | BeginWords;

export async function runAndWait(place: Place, begin: Begin, caller: Caller): Promise<ToolAnswer> {
  if ('words' in begin) return wait(place, await started(place, begin), caller);
  const { row, how = [] } = begin;
  const { state, isHeld } = lookAt(place, row.run);
  const words = ['resume', '--json', row.run, ...how];
  if (isHeld && how.length === 0) return wait(place, row.run, caller);
  const question = isHeld ? undefined : questionFor(state);
  // Resuming without an answer would open the same question.
  if (question !== undefined && how.length === 0) return rest(state, caller);
  return wait(place, await started(place, { words }), caller);
}

/** The round after a question: the answer is put on record, and the run goes on; or it was not answered, and rests. */
export async function afterQuestion(place: Place, caller: Caller): Promise<ToolAnswer | undefined> {
  const reply = replyIn(caller);
  if (reply === undefined) return undefined;
  const ledger = readLedger(place.project);
  const { run } = findRun(ledger, reply.run);
  ledger.close();
  if (reply.choice === null) {
    const { state, isLost } = lookAt(place, run);
    return { text: briefOf(state, { isInterrupted: isLost }) };
  }
  await giveReply(place, reply);
  const { state, isHeld } = lookAt(place, run);
  if (isHeld) return wait(place, run, caller, new Set([reply.checkpoint]));
  if (state.status !== 'paused' || questionFor(state) !== undefined) return rest(state, caller);
  return wait(place, await started(place, { words: ['resume', '--json', run] }), caller);
}

/** Of two concurrent starts one wins, and the other waits with it. */
async function started(place: Place, { words, joins = () => true }: BeginWords): Promise<RunId> {
  try {
    return await startRun(place, words);
  } catch (error) {
    const run = error instanceof DivisiError ? error.ids['run'] : undefined;
    const isTaken = error instanceof DivisiError && (error.code === 'RUN_UNFINISHED' || error.code === 'LEASE_HELD');
    const look = isTaken && typeof run === 'string' ? lookAt(place, run as RunId) : undefined;
    if (look?.isHeld === true && joins(look.state)) return look.state.created.run;
    throw error;
  }
}

async function wait(
  place: Place,
  run: RunId,
  caller: Caller,
  answered: ReadonlySet<string> = new Set(),
): Promise<ToolAnswer> {
  const { signal, seen } = caller;
  const stand = await followRun({ project: place.project, run, signal, seen, answered });
  if (stand !== undefined) return rest(stand.state, caller, stand.isInterrupted);
  if (isGivenUp(signal)) await pause(place, run);
  return { text: briefOf(lookAt(place, run).state) };
}

function rest(state: RunState, { canAsk }: Caller, isInterrupted = false): ToolAnswer {
  const question = canAsk && !isInterrupted ? questionFor(state) : undefined;
  return question === undefined ? { text: briefOf(state, { isInterrupted }) } : { ask: question };
}

/** Gently: what runs gets a moment, and nothing is lost. */
async function pause({ project, environment, warn }: Place, run: RunId): Promise<void> {
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

function lookAt({ project }: Place, run: RunId): Look {
  const ledger = readLedger(project);
  try {
    const row = ledger.run(run);
    if (row === null)
      throw divisiError('RUN_UNKNOWN', { message: `there is no run ${run}`, next: 'status {} shows them.' });
    const isHeld = livingHolder(ledger, run) !== null;
    return { state: foldRun(ledger, run), isHeld, isLost: isInterrupted(ledger, row) };
  } finally {
    ledger.close();
  }
}
