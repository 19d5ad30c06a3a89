/** Report lines: lines shared by the status and the summary. Agents' words are flattened and cut. */
import { oneLine } from '../../base/text.ts';
import type { CommandEnd } from '../../core/workflow/command-end.ts';
import { counted } from '../text/quantity.ts';
import { featuresText } from './features-text.ts';
import { checkText, claimCount, findingText, proofText, unattributedText, unconfirmedText } from './proof-text.ts';
import { resumeOf } from '../text/typed-commands.ts';
import type { RunReport } from './run-report.ts';
import { progressWord, type TaskReport } from './task-report.ts';
import { skippedText, waitingText } from './waiting-text.ts';

/** Said wherever a run without reviews is summed up. */
export const reviewsOff = 'reviews: off, as the plan says; neither the waves nor the run as a whole were reviewed';

function taskLine(report: TaskReport): string {
  const { task, title, status, mark, waiting, because, summary } = report;
  const why =
    waiting !== undefined
      ? waitingText(waiting)
      : because !== undefined
        ? skippedText(task, because)
        : (failureText(report) ?? summary ?? '');
  return `  [${mark}] ${task} ${oneLine(title, 60)} – ${progressWord(status)}${proofWords(report)}${claimWords(report)}${why === '' ? '' : `: ${oneLine(why, 160)}`}`;
}

/** Empty where the findings below say it. */
function failureText({ failure, verification }: TaskReport): string | undefined {
  return verification?.verdict === 'rejected' && failure?.class === 'verification-failed' ? '' : failure?.message;
}

function proofWords({ degraded = [], verification, changedSince }: TaskReport): string {
  if (verification === undefined) return degraded.length === 0 ? '' : ` (${degraded.join(', ')})`;
  const known = new Set<string>(verification.findings.map(({ kind }) => kind));
  const flags = degraded.filter((flag) => !known.has(flag));
  return `${flags.length === 0 ? '' : ` (${flags.join(', ')})`}, ${proofText(verification, changedSince)}`;
}

/** Passing rows are a number; the others have a line each. */
function claimWords({ checks = [] }: TaskReport): string {
  return checks.length === 0 ? '' : `, ${claimCount(checks)}`;
}

const mostFindings = 5;

/** The task, and its findings, failed criteria and files of unfinished work below. */
export function taskLines(report: TaskReport): string[] {
  const failed = (report.checks ?? []).filter(({ status }) => status !== 'pass').map(checkText);
  const files = report.left === undefined ? [] : [`files left: ${report.left.join(', ')}`];
  const findings = [...(report.verification?.findings ?? []).map(findingText), ...failed, ...files];
  const shown = findings.slice(0, mostFindings).map((one) => `      ${oneLine(one, 300)}`);
  const left = findings.length - shown.length;
  return [taskLine(report), ...shown, ...(left > 0 ? [`      and ${left} more: divisi report ${report.task}`] : [])];
}

/** Said once for the run: what nobody is to blame for, and what nobody has allowed. */
export function doubtLines(report: RunReport): string[] {
  const { unattributed = [], unconfirmed } = report;
  return [
    ...(unattributed.length === 0 ? [] : [`unattributed: ${oneLine(unattributedText(unattributed), 300)}`]),
    ...(unconfirmed === undefined ? [] : [`not run: ${oneLine(unconfirmedText(unconfirmed, report), 300)}`]),
  ];
}

/** Paused with every checkpoint answered. */
export function isAnswered({ status, reason, checkpoints }: RunReport): boolean {
  return status === 'paused' && reason === 'answered' && checkpoints.length === 0;
}

/** In a list of runs. */
export function endWord(end: CommandEnd | undefined): string | undefined {
  return end === 'invalid' ? 'not accepted' : end;
}

export function standText(report: RunReport): string {
  const { status, end, reason } = report;
  const word = endWord(end) ?? status;
  return reason === undefined || isAnswered(report) ? word : `${word} (${oneLine(reason, 160)})`;
}

export function nextText(report: RunReport): string {
  const { status, checkpoints } = report;
  const resume = resumeOf(report);
  if (checkpoints.length > 0) return `next: answer, then ${resume}`;
  if (isAnswered(report)) return `answered; next: ${resume}`;
  if (status === 'paused' || status === 'interrupted') return `next: ${resume}`;
  if (status !== 'failed') return '';
  return report.features === undefined
    ? `next: ${resume} retries what did not complete`
    : `next: ${resume} retries what is halted and asks again about what you rejected`;
}

export const mostGateLines = 12;

export function findingLines({ run, findings }: RunReport, words: string): string[] {
  const open = findings.filter(({ isFixed }) => !isFixed);
  const lines = open.slice(0, mostGateLines).map(({ id, action }) => `${words}: ${id} ${oneLine(action, 120)}`);
  const left = open.length - lines.length;
  return left > 0 ? [...lines, `${words}: and ${left} more; divisi status ${run} --json has them all`] : lines;
}

export function countsLine({ counts, tasks, features }: RunReport): string {
  const parts = Object.entries(counts).map(([status, number]) => `${number} ${progressWord(status)}`);
  const all = `${counted(tasks.length, 'task')}: ${parts.join(', ')}`;
  return features === undefined ? all : `${featuresText(features)}. ${all}`;
}
