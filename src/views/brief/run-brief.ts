/**
 * A whole run in a few hundred characters: all of it that enters the context of whoever asked for it.
 *
 * The budget holds by construction: what must be said (which run, how it stands, what to do next) has a bound, the rest is
 * chosen piece by piece, what needs a person first, then trouble; clean passes are a number. Words of agents and plans are
 * redacted, escaped, and stand where only data can stand. `next` is ours alone, behind the data.
 */
import { divisiError } from '../../base/error.ts';
import { flatten } from '../../base/text.ts';
import { type BriefPiece, framedBrief } from './brief-frame.ts';
import type { CheckpointQuestion } from '../run/checkpoint-question.ts';
import { escapeXml } from '../text/escape.ts';
import { nextCall } from './next-call.ts';
import { proofText, unconfirmedText } from '../run/proof-text.ts';
import type { RunReport } from '../run/run-report.ts';
import type { TaskReport } from '../run/task-report.ts';

/** What a run may take of a context. */
export const runBudget = 600;
/** Below this, what must be said does not fit. */
const minimumRunBudget = 400;

export interface RunBriefOptions {
  /** In characters; the brief is never longer. */
  readonly budget?: number;
  /** It calls itself running, and nobody works on it any more. */
  readonly isInterrupted?: boolean;
}

export function runBrief(
  report: RunReport,
  { budget = runBudget, isInterrupted = false }: RunBriefOptions = {},
): string {
  if (budget < minimumRunBudget) {
    throw divisiError('BRIEF_BUDGET_TOO_SMALL', {
      message: `the brief of a run cannot have ${budget} characters`,
      expected: `at least ${minimumRunBudget} characters`,
      next: 'Raise the budget.',
    });
  }
  return framedBrief({
    run: report.run,
    status: isInterrupted ? 'interrupted' : report.status,
    facts: factsOf(report),
    pieces: piecesOf(report),
    next: nextCall(report, isInterrupted),
    budget,
  });
}

function factsOf({ tasks, workspace, features }: RunReport): string[] {
  const number = (status: TaskReport['status']): number => tasks.filter((task) => task.status === status).length;
  const done = tasks.filter(({ status }) => status === 'completed');
  const verified = done.filter(({ verification }) => verification?.verdict === 'verified').length;
  const rest = (['failed', 'skipped', 'running', 'ended'] as const).flatMap((status) => {
    const found = number(status);
    return found === 0 ? [] : [` ${status === 'ended' ? 'undecided' : status}="${found}"`];
  });
  const hasWork = workspace !== undefined && workspace.head !== workspace.base;
  return [
    ...(features === undefined ? [] : [` features="${features.completed}/${features.all}"`]),
    ` completed="${done.length}/${tasks.length}"`,
    ...rest,
    ...(done.length === 0 ? [] : [` verified="${verified}/${done.length}"`]),
    ...(hasWork ? [` branch="${escapeXml(flatten(workspace.branch))}"`] : []),
  ];
}

/** What did not come to its end, by the word for it. */
const unfinished: ReadonlyMap<TaskReport['status'], string> = new Map([
  ['failed', 'failed'],
  ['ended', 'failed'],
  ['partial', 'partial'],
  ['blocked', 'blocked'],
]);

export function piecesOf(report: RunReport): BriefPiece[] {
  const { tasks, gates, findings, checkpoints, reason, status, unconfirmed, features } = report;
  const all = [...tasks, ...gates];
  const failed = all.filter(({ status: of }) => unfinished.has(of));
  const flagged = all.filter((one) => one.status === 'completed' && flagsOf(one) !== '');
  const skipped = tasks.filter((one) => one.status === 'skipped').map(({ task }) => task);
  const open = findings.filter(({ isFixed }) => !isFixed);
  // Of a single task, what it says is what was asked for; of several, their number.
  const only = tasks.length === 1 && status === 'completed' ? tasks[0] : undefined;
  return [
    ...checkpoints.map((one) => ({ tag: 'checkpoint', of: one.checkpoint, text: questionWords(one) })),
    ...(checkpoints.length > 0 || reason === undefined ? [] : [{ tag: 'why', of: '', text: reason }]),
    ...(features?.halted ?? []).map(({ feature, why }) => ({ tag: 'halted', of: feature, text: why })),
    ...failed.map((one) => ({
      tag: unfinished.get(one.status) ?? 'failed',
      of: one.task,
      text: failureWords(one),
    })),
    ...flagged.map((one) => ({ tag: 'degraded', of: one.task, text: flagsOf(one) })),
    ...(unconfirmed === undefined ? [] : [{ tag: 'not-run', of: '', text: unconfirmedText(unconfirmed) }]),
    ...(skipped.length === 0 ? [] : [{ tag: 'skipped', of: '', text: skipped.join(', ') }]),
    ...open.map(({ id, action }) => ({ tag: 'put-off', of: id, text: action })),
    ...(only?.summary === undefined ? [] : [{ tag: 'summary', of: only.task, text: only.summary }]),
  ];
}

function questionWords({ why, approve, reject }: CheckpointQuestion): string {
  return `${why} | approve: ${approve} | reject: ${reject}`;
}

function failureWords({ failure, verification, summary = '' }: TaskReport): string {
  const found = verification?.verdict === 'rejected' ? proofText(verification) : undefined;
  return found ?? (failure === undefined ? summary : failure.message);
}

function flagsOf({ degraded = [], verification }: TaskReport): string {
  const found = verification?.verdict === 'verified' ? [] : (verification?.findings ?? []).map(({ kind }) => kind);
  return [...new Set([...degraded, ...found])].join(', ');
}
