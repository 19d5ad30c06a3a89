/**
 * Run brief: a whole run in a few hundred characters, for the caller's context.
 *
 * The budget holds by construction: the run, its status and the next step are bounded; the rest is added piece by piece, first
 * what needs a person, then trouble. Clean passes are a number. Words of agents and plans are redacted, escaped, and placed
 * where only data can be; `next` follows the data and contains none of them.
 */
import { divisiError } from '../../base/error.ts';
import { flatten, redactedLine } from '../../base/text.ts';
import { type BriefPiece, framedBrief } from './brief-frame.ts';
import type { CheckpointQuestion } from '../run/checkpoint-question.ts';
import { escapeXml } from '../text/escape.ts';
import { nextCall } from './next-call.ts';
import { proofText, thenChanged, unattributedText, unconfirmedText } from '../run/proof-text.ts';
import type { RunReport } from '../run/run-report.ts';
import type { ShownStatus } from '../run/shown-status.ts';
import type { TaskReport } from '../run/task-report.ts';

export const runBudget = 600;
/** The required parts need this much. */
const minimumRunBudget = 400;

export interface RunBriefOptions {
  /** In characters; the brief is never longer. */
  readonly budget?: number;
  /** In place of what the ledger alone says. */
  readonly shown?: ShownStatus;
}

export function runBrief(
  report: RunReport,
  { budget = runBudget, shown = report.status }: RunBriefOptions = {},
): string {
  if (budget < minimumRunBudget) {
    throw divisiError('BRIEF_BUDGET_TOO_SMALL', {
      message: `a budget of ${budget} characters is too small for a run brief`,
      expected: `at least ${minimumRunBudget} characters`,
      next: 'Raise the budget.',
    });
  }
  return framedBrief({
    run: report.run,
    status: shown,
    facts: factsOf(report),
    pieces: runPieces(report),
    next: nextCall(report, shown),
    budget,
  });
}

function factsOf({ tasks, workspace, features }: RunReport): string[] {
  const number = (status: TaskReport['status']): number => tasks.filter((task) => task.status === status).length;
  const done = tasks.filter(({ status }) => status === 'completed');
  const verified = done.filter(
    (one) => one.verification?.verdict === 'verified' && one.changedSince === undefined,
  ).length;
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

/** Tags for tasks that did not complete. */
const unfinished: ReadonlyMap<TaskReport['status'], string> = new Map([
  ['failed', 'failed'],
  ['ended', 'failed'],
  ['partial', 'partial'],
  ['blocked', 'blocked'],
]);

export function runPieces(report: RunReport): BriefPiece[] {
  const { tasks, gates, findings, checkpoints, reason, status, unconfirmed, unattributed, features } = report;
  const all = [...tasks, ...gates];
  const failed = all.filter(({ status: of }) => unfinished.has(of));
  const flagged = all.filter((one) => one.status === 'completed' && flagsOf(one) !== '');
  const skipped = tasks.filter((one) => one.status === 'skipped').map(({ task }) => task);
  const open = findings.filter(({ isFixed }) => !isFixed);
  // The summary of a single task is the answer; of several, each has a clause.
  const done = status === 'completed' ? tasks.filter((one) => one.status === 'completed') : [];
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
    ...all.flatMap(({ task, changedSince }) =>
      changedSince === undefined ? [] : [{ tag: 'changed', of: task, text: `verified, ${thenChanged(changedSince)}` }],
    ),
    ...(unattributed === undefined ? [] : [{ tag: 'unattributed', of: '', text: unattributedText(unattributed) }]),
    ...flagged.map((one) => ({ tag: 'degraded', of: one.task, text: flagsOf(one) })),
    ...(unconfirmed === undefined ? [] : [{ tag: 'not-run', of: '', text: unconfirmedText(unconfirmed, report) }]),
    ...(skipped.length === 0 ? [] : [{ tag: 'skipped', of: '', text: skipped.join(', ') }]),
    ...open.map(({ id, action }) => ({ tag: 'deferred', of: id, text: action })),
    ...(only?.summary === undefined ? [] : [{ tag: 'summary', of: only.task, text: only.summary }]),
    ...(done.length < 2 ? [] : [{ tag: 'done', of: '', text: '', parts: done.map(doneWords) }]),
    ...all.flatMap(({ task, notes = [] }) => notes.map((text) => ({ tag: 'note', of: task, text }))),
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
  // Said once for the run.
  return [...new Set([...degraded, ...found])].filter((flag) => flag !== 'commands-not-run').join(', ');
}

/** `1.1 Write the parser: it reads all three formats`: title and the first clause of its summary. */
function doneWords({ task, title, summary = '' }: TaskReport): string {
  // Redacted before it is cut.
  const [clause = ''] = redactedLine(summary).split(/[.;:!?](?=\s|$)/, 1);
  return `${task} ${title}${clause === '' ? '' : `: ${clause}`}`;
}
