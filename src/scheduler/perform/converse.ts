/**
 * Converses with one agent until its attempt has an outcome: reads each return, asks for at most two repairs, and accounts for a
 * turn that failed or was cancelled.
 */
import { repairMessage } from '../../contracts/write/prompt.ts';
import type { Reading, Result } from '../../contracts/result.ts';
import type { ReturnWay } from '../../contracts/return-way.ts';
import { timeoutFailure } from '../../core/event/make-outcome.ts';
import { mostRepairs } from '../../core/state/state.ts';
import { reviewAdvice } from '../../drivers/command/command-driver.ts';
import type { Conversation, Turn, TurnFailure } from '../../drivers/driver.ts';
import type { FailureClass } from '../../gates/failure-policy.ts';
import { type TurnUsage, usageOf } from '../../dialects/usage.ts';
import type { ActivityEnd, Note } from '../../engine/engine.ts';
import { readInside } from '../../workspace/project-path.ts';
import { keepReport } from '../../reading/keep-report.ts';
import {
  type ReturnAccount,
  accepted,
  broken,
  noReport,
  refused,
  violationLines,
  withDocument,
  withoutReport,
} from '../../reading/outcome.ts';
import { blameRefusals, type RefusedPermission } from './blame-refusals.ts';
import { hasNoReturn } from '../../reading/read-on-disk.ts';
import { type Collected, keepReturn, readReturn, type Reader, richer } from '../../reading/take-return.ts';

type Refused = Extract<Reading, { ok: false }>;

export interface Talk extends Reader {
  readonly by: ReturnWay;
  readonly conversation: Conversation;
  readonly note: (note: Note) => void;
  readonly isReview: boolean;
  /** From its registration to its deadline. */
  readonly seconds: number;
  readonly timedOut: () => boolean;
  /** What its client was refused so far. */
  readonly refused: () => readonly RefusedPermission[];
  /** Whether it changed files that can stand for a return. */
  readonly hasChanges: () => Promise<boolean>;
  /** Whether it left anything: a changed file or a report. */
  readonly hasWork: () => Promise<boolean>;
}

export function stopped(account: ReturnAccount, salvage: Partial<Result> = {}): ActivityEnd {
  const failure = { class: 'cancelled', message: 'the run was stopped' } as const;
  return { end: 'cancelled', outcome: broken(failure, 'partial', account, salvage) };
}

/** Sums the usage of all turns. */
export async function converse(talk: Talk): Promise<ActivityEnd> {
  const turns: (TurnUsage | undefined)[] = [];
  const ended = await takeTurns(talk, (turn) => {
    turns.push(turn.usage);
    return turn;
  });
  const usage = usageOf(turns);
  const outcome = blameRefusals(ended.outcome, talk.refused());
  return { ...ended, outcome: usage === undefined ? outcome : { ...outcome, usage } };
}

async function takeTurns(talk: Talk, count: (turn: Turn) => Turn): Promise<ActivityEnd> {
  const { contract, by, task, conversation, note } = talk;
  const { reportPath } = task;
  let turn = count(await conversation.first);
  let best: Collected | undefined;
  for (let repairs = 0; ; repairs += 1) {
    if (turn.end !== 'returned') {
      // A failed repair does not undo the return before it, which still reports what was done.
      if (turn.end !== 'failed' || turn.cause === 'limit' || best === undefined)
        return endOf(talk, turn, repairs, best);
      return refuseWork(talk, best, repairs - 1, `the repair failed (${turn.message})`);
    }
    if (by === 'exit-code') return silentEnd(talk, turn.text);
    const found = await readReturn(talk, turn.text);
    if (found.reading.ok) {
      const outcome = accepted(contract, found.reading.result, await keepReturn(talk, found, repairs));
      return { end: 'returned', outcome: withDocument(outcome, found.document) };
    }
    if (turn.exitCodeIsEnough === true && hasNoReturn(found.reading) && (await talk.hasChanges()))
      return silentEnd(talk, turn.text);
    const isPlainReview = talk.isReview && turn.exitCodeIsEnough === true && hasNoReturn(found.reading);
    if (best === undefined && turn.text.trim() === '' && !(await talk.hasWork()))
      return isPlainReview ? noVerdict() : unanswered(repairs);
    best = richer(best, found);
    const { violations } = found.reading;
    const again =
      repairs < mostRepairs ? conversation.repair(repairMessage(contract, violations, { by, reportPath })) : null;
    if (again === null) {
      const cannot = isPlainReview ? `an exit code judges nothing: ${reviewAdvice}` : 'the driver cannot ask again';
      const why = repairs < mostRepairs ? cannot : `still not accepted after ${repairs} repairs`;
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

/** There is no work that a repair could ask to report. */
function unanswered(repairs: number): ActivityEnd {
  const failure = { class: 'no-answer', message: nothing } as const;
  return { end: 'returned', outcome: broken(failure, 'failed', { repairs }) };
}

/** Once more would be the same: a program that only works was started as the reviewer. */
function noVerdict(): ActivityEnd {
  const message = `it exited without a verdict, and an exit code judges nothing: ${reviewAdvice}`;
  return { end: 'returned', outcome: broken({ class: 'environment', message }, 'failed', { repairs: 0 }) };
}

const nothing = 'answered nothing, changed nothing';

/** Accepts an exit code of 0, and keeps what the program printed for people. */
async function silentEnd({ project, contract, task }: Talk, printed: string): Promise<ActivityEnd> {
  const text = printed.trim() === '' ? `${noReport}\n` : `${noReport}. Its output:\n\n${printed}`;
  const kept = await keepReport(project, task, { text, isReport: false });
  return { end: 'returned', outcome: withoutReport(contract, { repairs: 0, ...kept }) };
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
  if (turn.end === 'cancelled' || turn.cause === 'limit') {
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
  if (turn.cause === 'limit') {
    const failure = { class: 'limit', message: turn.message } as const;
    return { end: 'returned', outcome: broken(failure, 'partial', account, salvage) };
  }
  const isSilent = turn.cause === 'refusal' || turn.cause === 'no-answer';
  const about = isSilent && !(await talk.hasWork()) ? { ...turn, message: `${nothing}: ${turn.message}` } : turn;
  return { end: 'returned', outcome: failedTurn(talk, about, reading, account) };
}

/** Accepts a valid return of an agent whose exit was not observed, and marks it `recovered`. */
export async function answerOf(reader: Reader, said: string, repairs: number): Promise<ActivityEnd | undefined> {
  const found = await readReturn(reader, said);
  if (!found.reading.ok) return undefined;
  const outcome = accepted(reader.contract, found.reading.result, await keepReturn(reader, found, repairs));
  return {
    end: 'returned',
    outcome: withDocument({ ...outcome, degraded: [...outcome.degraded, 'recovered'] }, found.document),
  };
}

function classOf(cause: Exclude<TurnFailure['cause'], 'quota'>): FailureClass {
  switch (cause) {
    case 'not-started':
      return 'environment';
    case 'exit':
    case 'signal':
      return 'agent-error';
    case 'environment':
    case 'authentication':
    case 'context-full':
    case 'refusal':
    case 'no-answer':
    case 'limit':
      return cause;
    default:
      return cause satisfies never;
  }
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
  const kind = classOf(turn.cause);
  const claim = reading.ok ? 'returned completed, but ' : '';
  const salvage = reading.ok ? reading.result : reading.salvaged.result;
  return broken({ class: kind, message: `${claim}${turn.message}` }, 'failed', account, salvage);
}
