/**
 * Performs one delegation: starts the agent, reads its return, asks for at most two repairs in the same conversation, and leaves no
 * process behind. Everything the agent does becomes an outcome; only a fault in Divisi is thrown.
 */
import { type Agents, checkAgents, findAgent } from '../../agents/registry.ts';
import { isRefusal } from '../../base/error.ts';
import { redactedLine } from '../../base/text.ts';
import { contractSchema } from '../../contracts/write/json-schema.ts';
import { repairMessage } from '../../contracts/write/prompt.ts';
import type { Contracts } from '../../contracts/registry.ts';
import type { Reading, Result } from '../../contracts/result.ts';
import type { ReturnWay } from '../../contracts/return-way.ts';
import { attemptPrompt } from '../../core/attempt/attempt-prompt.ts';
import { contractFor, recordedDocument, returnCheck } from '../../core/attempt/return-check.ts';
import { timeoutFailure } from '../../core/event/make-outcome.ts';
import { mostRepairs } from '../../core/state/state.ts';
import type { WorktreeFacts } from '../../core/event/verification.ts';
import type { Conversation, Driver, DriverTask, Turn } from '../../drivers/driver.ts';
import { type TurnUsage, usageOf } from '../../dialects/usage.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Activity } from '../../core/attempt/activity.ts';
import type { ActivityEnd, Note } from '../../engine/engine.ts';
import type { Perform } from '../../engine/local/local-engine.ts';
import { prepareDelegation } from '../../workspace/prepare-delegation.ts';
import { readInside } from '../../workspace/project-path.ts';
import { driverTask } from './driver-task.ts';
import { driverNote } from './driver-task.ts';
import { collectWorklog } from '../../reading/keep-report.ts';
import { type ReturnAccount, accepted, broken, refused, violationLines, withDocument } from '../../reading/outcome.ts';
import { redactOutput } from './redact-output.ts';
import { type Recover } from '../reconcile.ts';
import type { RunWorkspace } from '../../run-work/run-workspace.ts';
import { type Collected, keepReturn, readReturn, type Reader, richer } from '../../reading/take-return.ts';

export interface RecoverDeps {
  /** Absolute. */
  readonly project: string;
  /** This process's. */
  readonly environment: NodeJS.ProcessEnv;
  readonly run: string;
  readonly agents: Agents;
  readonly contracts: Contracts;
  readonly driver: Pick<Driver, 'recover'>;
  /** Absolute: the folder of a delegation. */
  readonly directoryOf: (worktree: WorktreeFacts) => string;
}

export interface PerformDeps extends RecoverDeps {
  readonly driver: Driver;
  readonly clock: Clock;
  readonly workspace: Pick<RunWorkspace, 'open' | 'changedFiles'>;
}

export function performDelegation(deps: PerformDeps): Perform {
  return async (activity, signal, note) => {
    const { project, clock, driver } = deps;
    const contract = contractFor({ ...activity, agent: activity.registered.agent }, deps);
    const by = driver.returnWay(activity.registered);
    const { delegation, at, deadline: registered } = activity.registered;
    let task: DriverTask;
    let deadline: number;
    let folder: WorktreeFacts;
    try {
      checkAgents(deps.agents, [activity.registered.agent]);
      const { task: id, attempt } = activity.registered;
      await prepareDelegation(deps, { run: deps.run, wave: activity.wave, task: id, delegation, attempt });
      const { directory, worktree } = await deps.workspace.open(activity, signal);
      folder = worktree;
      deadline = clock.now() + registered - at;
      note({ kind: 'workspace.opened', delegation, worktree, deadline });
      const { run, agents } = deps;
      const carried = worktree.carried === undefined ? {} : { carriedTo: directory };
      const milliseconds = deadline - clock.now();
      const prompt = attemptPrompt(activity, { run, agents, contract, by, milliseconds, ...carried });
      const { tools } = findAgent(deps.agents, activity.registered.agent);
      const limits = tools === undefined ? {} : { tools };
      const returnSchema = contractSchema(contract);
      task = driverTask(deps, activity, { directory, prompt, returnSchema, ...limits });
    } catch (error) {
      return signal.aborted ? stopped({ repairs: 0 }) : unusable(error);
    }

    const stop = new AbortController();
    let timedOut = false;
    const forward = (): void => stop.abort(signal.reason);
    signal.addEventListener('abort', forward);
    if (signal.aborted) forward();
    const disarm = clock.after(deadline - clock.now(), () => {
      timedOut = true;
      stop.abort('gently');
    });
    const conversation = driver.start(task, stop.signal, (said) => note(driverNote(delegation, said)));
    try {
      const read = { project, contract, by, task, ...checksOf(activity, deps.agents) };
      const seconds = Math.round((registered - at) / 1000);
      const ended = await converse({ ...read, conversation, note, seconds, timedOut: () => timedOut });
      return await withLeft(ended, () => deps.workspace.changedFiles(folder));
    } catch (error) {
      return unusable(error);
    } finally {
      disarm();
      signal.removeEventListener('abort', forward);
      await conversation.close();
      await collectWorklog(project, task);
      await redactOutput(task);
    }
  };
}

/** The disk refused, an agent left a symlink behind, or the task does not fit into an assignment. */
function unusable(error: unknown): ActivityEnd {
  if (!isRefusal(error)) throw error;
  const failure = { class: 'environment', message: `could not start work: ${error.message}` } as const;
  return { end: 'returned', outcome: broken(failure, 'failed', { repairs: 0 }) };
}

function stopped(account: ReturnAccount, salvage: Partial<Result> = {}): ActivityEnd {
  const failure = { class: 'cancelled', message: 'the run was stopped' } as const;
  return { end: 'cancelled', outcome: broken(failure, 'partial', account, salvage) };
}

function checksOf(activity: Activity, agents: Agents): Pick<Reader, 'check' | 'keeps' | 'document'> {
  return {
    check: returnCheck(activity, agents),
    keeps: recordedDocument(activity),
    document: activity.task.document,
  };
}

type Refused = Extract<Reading, { ok: false }>;

interface Talk extends Reader {
  readonly by: ReturnWay;
  readonly conversation: Conversation;
  readonly note: (note: Note) => void;
  /** From its registration to its deadline. */
  readonly seconds: number;
  readonly timedOut: () => boolean;
}

const mostLeft = 50;

/** Records the files of an attempt that did not complete: the next one continues from them, and people see them. */
async function withLeft(ended: ActivityEnd, changedFiles: () => Promise<string[]>): Promise<ActivityEnd> {
  const { outcome } = ended;
  // A quota is a pause: its attempt is not accounted for.
  if (outcome.status === 'completed' || outcome.failure.class === 'quota') return ended;
  try {
    const left = (await changedFiles()).slice(0, mostLeft).map((path) => redactedLine(path, 300));
    return left.length === 0 ? ended : { ...ended, outcome: { ...outcome, left } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return ended;
  }
}

/** Sums the usage of all turns. */
async function converse(talk: Talk): Promise<ActivityEnd> {
  const turns: (TurnUsage | undefined)[] = [];
  const ended = await takeTurns(talk, (turn) => {
    turns.push(turn.usage);
    return turn;
  });
  const usage = usageOf(turns);
  return usage === undefined ? ended : { ...ended, outcome: { ...ended.outcome, usage } };
}

async function takeTurns(talk: Talk, count: (turn: Turn) => Turn): Promise<ActivityEnd> {
  const { contract, by, task, conversation, note } = talk;
  const { reportPath } = task;
  let turn = count(await conversation.first);
  let best: Collected | undefined;
  for (let repairs = 0; ; repairs += 1) {
    if (turn.end !== 'returned') {
      // A failed repair does not undo the return before it, which still reports what was done.
      if (turn.end !== 'failed' || best === undefined) return endOf(talk, turn, repairs, best);
      return refuseWork(talk, best, repairs - 1, `the repair failed (${turn.message})`);
    }
    const found = await readReturn(talk, turn.text);
    if (found.reading.ok) {
      const outcome = accepted(contract, found.reading.result, await keepReturn(talk, found, repairs));
      return { end: 'returned', outcome: withDocument(outcome, found.document) };
    }
    best = richer(best, found);
    const { violations } = found.reading;
    const again =
      repairs < mostRepairs ? conversation.repair(repairMessage(contract, violations, { by, reportPath })) : null;
    if (again === null) {
      const why = repairs < mostRepairs ? 'the driver cannot ask again' : `still not accepted after ${repairs} repairs`;
      return refuseWork(talk, best, repairs, why);
    }
    note({
      kind: 'return.refused',
      delegation: task.delegation,
      repair: repairs + 1,
      violations: violationLines(violations),
    });
    turn = count(await again);
  }
}

/** Records the return that reports the most, and keeps it. */
async function refuseWork(talk: Talk, best: Collected, repairs: number, why: string): Promise<ActivityEnd> {
  const account = await keepReturn(talk, best, repairs);
  return { end: 'returned', outcome: refused(best.reading as Refused, account, why, best.document) };
}

async function endOf(
  talk: Talk,
  turn: Exclude<Turn, { end: 'returned' }>,
  repairs: number,
  before: Collected | undefined,
): Promise<ActivityEnd> {
  if (turn.end === 'cancelled') {
    const answered = await answerOf({ ...talk, interrupted: true }, turn.said, repairs);
    if (answered !== undefined) return answered;
  }
  // An interrupted agent may have written all or part of its report without returning.
  const text = (await readInside(talk.task.directory, talk.task.reportPath)) ?? turn.said;
  const found = richer(before, await readReturn(talk, text));
  const { reading } = found;
  const account = await keepReturn(talk, found, repairs);
  const salvage = reading.ok ? reading.result : reading.salvaged.result;
  if (turn.end === 'cancelled') {
    if (talk.timedOut()) {
      return { end: 'timed-out', outcome: broken(timeoutFailure(talk.seconds), 'partial', account, salvage) };
    }
    return stopped(account, salvage);
  }
  return { end: 'returned', outcome: failedTurn(talk, turn, reading, account) };
}

/** Accepts a valid return of an agent whose exit was not observed, and marks it `recovered`. */
async function answerOf(reader: Reader, said: string, repairs: number): Promise<ActivityEnd | undefined> {
  const found = await readReturn(reader, said);
  if (!found.reading.ok) return undefined;
  const outcome = accepted(reader.contract, found.reading.result, await keepReturn(reader, found, repairs));
  return {
    end: 'returned',
    outcome: withDocument({ ...outcome, degraded: [...outcome.degraded, 'recovered'] }, found.document),
  };
}

/** Trusts an agent that reports its own failure, but not one that claims success and fails. */
function failedTurn(
  { contract }: Reader,
  turn: Extract<Turn, { end: 'failed' }>,
  reading: Reading,
  account: ReturnAccount,
): ActivityEnd['outcome'] {
  if (turn.cause === 'quota') {
    const until = turn.until === undefined ? {} : { until: Math.round(turn.until) };
    return broken({ class: 'quota', message: turn.message, ...until }, 'failed', account);
  }
  if (reading.ok && reading.result.status !== 'completed') return accepted(contract, reading.result, account);
  const kind = turn.cause === 'not-started' || turn.cause === 'environment' ? 'environment' : 'agent-error';
  const claim = reading.ok ? 'returned completed, but ' : '';
  const salvage = reading.ok ? reading.result : reading.salvaged.result;
  return broken({ class: kind, message: `${claim}${turn.message}` }, 'failed', account, salvage);
}

/** After a crash: reads the return of a delegation that had finished before it could be recorded. */
export function recoverDelegation(deps: RecoverDeps): Recover {
  return async (activity, repairs) => {
    // Without a recorded folder the agent was never started.
    if (activity.worktree === undefined) return undefined;
    const contract = contractFor({ ...activity, agent: activity.registered.agent }, deps);
    const directory = deps.directoryOf(activity.worktree);
    const asked = { directory, prompt: '', returnSchema: contractSchema(contract) };
    const task = driverTask(deps, activity, asked);
    try {
      const said = await deps.driver.recover(task);
      return said === null
        ? undefined
        : await answerOf({ project: deps.project, contract, task, ...checksOf(activity, deps.agents) }, said, repairs);
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    } finally {
      await redactOutput(task);
    }
  };
}
