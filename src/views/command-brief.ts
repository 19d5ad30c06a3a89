/** What a person reads when a command is over: trouble first; of a clean pass at most 600 characters. */
import { oneLine } from '../contracts/flatten.ts';
import type { CommandReport, CommandTrouble } from './command-report.ts';
import { fit } from './escape.ts';

export const briefSize = 600;

const mostArtifacts = 4;
const same = (text: string): string => text;

export function commandBrief(report: CommandReport): string {
  const { trouble, undone, summary, degraded } = report;
  const before = [headLine(report), ...troubleLines(trouble), ...undone.map(undoneLine)];
  const behind = [
    ...(degraded.length === 0 ? [] : [`look at it: ${degraded.slice(0, 5).join(', ')}`]),
    ...artifactLines(report.artifacts),
    ...(report.commit === undefined ? [] : [`commit: ${oneLine(report.commit, 60)}`]),
    ...(report.next.length === 0 ? [] : [`next: ${report.next.join(' · ')}`]),
  ];
  const isClean = trouble === undefined && undone.length === 0;
  const taken = [...before, ...behind].join('\n').length + 1;
  const room = isClean ? Math.max(0, briefSize - taken - 1) : 400;
  const said = summary === '' ? [] : [fit(summary, room, same)];
  return [...before, ...said.filter((line) => line !== ''), ...behind].join('\n');
}

function headLine({ command, number, title, end, status, phases }: CommandReport): string {
  const stands = command === 'review' && end === 'completed' ? 'reviewed' : (status ?? end);
  const done = phases === undefined ? '' : `, phases ${phases.done.length}/${phases.done.length + phases.open.length}`;
  const how = end === 'completed' || end === stands ? '' : ` (${command} ${endWords[end]})`;
  return `${number} ${stands}${how}${done}: ${oneLine(title, 80)}`;
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

function troubleLines(trouble: CommandTrouble | undefined): string[] {
  if (trouble === undefined) return [];
  const { task, agent, session, violations, recommendation, returned, folder } = trouble;
  return [
    `${task} by ${agent}, session ${session}:`,
    ...violations.slice(0, 5).map((line) => `- ${oneLine(line, 300)}`),
    ...(violations.length > 5 ? [`- and ${violations.length - 5} more`] : []),
    ...(returned === undefined ? [] : [`what it returned: ${returned}`]),
    ...(folder === undefined ? [] : [`what it left: ${folder}`]),
    oneLine(recommendation, 300),
  ];
}

function undoneLine({ fact, why }: CommandReport['undone'][number]): string {
  const words = { sync: 'the task book', todo: 'TODO.md', state: 'state.json', commit: 'the commit' }[fact];
  return `not done: ${words}: ${oneLine(why, 300)}`;
}

function artifactLines(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, mostArtifacts).map((path) => oneLine(path, 100));
  const more = paths.length - shown.length;
  return [`artifacts: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
