/** Command brief: shown when a task command ends. Trouble comes first; a clean pass takes at most 600 characters. */
import { oneLine } from '../../base/text.ts';
import { activeStatus } from '../../core/workflow/command-end.ts';
import type { CommandReport, CommandTrouble } from './command-report.ts';
import { fit } from '../text/escape.ts';

export const briefSize = 600;

/** Room kept for the summary: artifacts are counted rather than named before it shrinks below this. */
const leastSummary = 150;
const same = (text: string): string => text;

export function commandBrief(report: CommandReport): string {
  const { trouble, undone, summary, degraded, commit, next, nextSteps } = report;
  // Unmerged ones are named with their folder.
  const artifacts = report.artifacts.filter((path) => !path.startsWith(`${trouble?.folder ?? path}/`));
  const before = [headLine(report), ...troubleLines(report), ...undone.map(undoneLine)];
  const behind = [
    ...(degraded.length === 0 ? [] : [`degraded: ${oneLine(degraded.join(', '), 80)}`]),
    ...(nextSteps === undefined ? [] : [`the agent suggests: ${oneLine(nextSteps, 120)}`]),
    ...(commit === undefined ? [] : [`commit: ${oneLine(commit, 40)}`]),
    ...(next.length === 0 ? [] : [`next: ${oneLine(next.join(' · '), 80)}`]),
  ];
  const isClean = trouble === undefined && undone.length === 0;
  const room = isClean ? briefSize - [...before, ...behind].join('\n').length : 900;
  const named = artifactLine(artifacts, room - Math.min(summary.length, leastSummary) - 2);
  const said = fit(summary, Math.max(0, room - named.length - 2), same);
  return [...before, ...[said, named].filter((line) => line !== ''), ...behind].join('\n');
}

function headLine({ command, number, title, end, status, phases }: CommandReport): string {
  const shown = command === 'review' && end === 'completed' ? 'reviewed' : (status ?? activeStatus(command) ?? end);
  const done = phases === undefined ? '' : `, phases ${phases.done.length}/${phases.done.length + phases.open.length}`;
  const how = end === 'completed' || end === shown ? '' : ` (${command} ${endWords[end]})`;
  return `${number} ${shown}${how}${done}: ${oneLine(title, 80)}`;
}

const endWords: Readonly<Record<CommandReport['end'], string>> = {
  completed: 'completed',
  partial: 'not finished',
  blocked: 'blocked',
  failed: 'failed',
  invalid: 'not accepted',
  cancelled: 'cancelled',
  open: 'not finished',
};

function troubleLines({ run, trouble, phases }: CommandReport): string[] {
  if (trouble === undefined) return [];
  const { task, agent, session, violations, recommendation, returned, folder, left } = trouble;
  return [
    `${task} by ${agent}, session ${session}:`,
    ...violations.slice(0, 5).map((line) => `- ${oneLine(line, 300)}`),
    ...(violations.length > 5 ? [`- and ${violations.length - 5} more`] : []),
    ...(returned === undefined ? [] : [`return: ${returned}`]),
    ...adviceLines(trouble),
    ...(folder === undefined
      ? []
      : [`unmerged work: ${folder}${leftText(left)} (divisi diff ${run}/${task} shows it)`]),
    ...(phases === undefined ? [] : [`left: ${oneLine(phases.open.join(', '), 200)}`]),
    oneLine(recommendation, 300),
  ];
}

/** What the agent itself recommends. */
function adviceLines({ errors, recommendation }: CommandTrouble): string[] {
  return errors.slice(0, 3).flatMap(({ recommendation: advice, recoverable }) => {
    if (advice === undefined || advice === recommendation) return [];
    return [`the agent recommends${recoverable ? '' : ' (not recoverable)'}: ${oneLine(advice, 200)}`];
  });
}

const mostLeft = 3;

function leftText(left: readonly string[]): string {
  if (left.length === 0) return '';
  const more = left.length > mostLeft ? ` and ${left.length - mostLeft} more` : '';
  return `: ${left
    .slice(0, mostLeft)
    .map((path) => oneLine(path, 100))
    .join(', ')}${more}`;
}

function undoneLine({ fact, why }: CommandReport['undone'][number]): string {
  const words = { sync: 'the task list', todo: 'TODO.md', state: 'state.json', commit: 'the commit' }[fact];
  return `not done: ${words}: ${oneLine(why, 300)}`;
}

function artifactLine(paths: readonly string[], room: number): string {
  if (paths.length === 0) return '';
  const more = (left: number): string => (left === 0 ? '' : ` and ${left} more`);
  let line = '';
  for (const [at, path] of paths.entries()) {
    const longer = `${line === '' ? 'artifacts: ' : `${line}, `}${oneLine(path, 160)}`;
    if (longer.length + more(paths.length - at - 1).length > room) {
      return line === '' ? `artifacts: ${paths.length}` : `${line}${more(paths.length - at)}`;
    }
    line = longer;
  }
  return line;
}
