/** Registry text: renders the registry for a terminal. Titles, names and notes are flattened and cut. */
import { endWord } from '../run/report-lines.ts';
import { resumeCommand } from '../text/typed-commands.ts';
import { oneLine } from '../../base/text.ts';
import { isOver } from '../../core/state/state.ts';
import { commandStages, type PostflightFact } from '../../core/event/workflow-step.ts';
import type { CommandRecord, PostflightRecord, RegistryDelegation, RegistryRun } from './delegation-registry.ts';
import { continueText } from '../text/typed-commands.ts';
import { shortDuration } from '../text/quantity.ts';

export function registryText(runs: readonly RegistryRun[], now: number): string {
  if (runs.length === 0) return 'no delegations are running';
  return runs.flatMap((run) => runLines(run, now)).join('\n');
}

function runLines(run: RegistryRun, now: number): string[] {
  const { delegations, settling, stages } = run;
  return [
    headLine(run, now),
    ...delegations.flatMap(delegationLines),
    ...settling.map(({ task, status }) => `  ${oneLine(task, 60)}: ${status}`),
    ...(stages === undefined ? [] : stageLines(stages)),
    ...nextLines(run),
  ];
}

function headLine(
  { run, title, status, end, reason, began, changed, stages, ...about }: RegistryRun,
  now: number,
): string {
  const why = reason === undefined ? '' : ` (${oneLine(reason, 160)})`;
  const time = isOver(status) ? `${stamp(changed)}, after ${shortDuration(changed - began)}` : since(now - began);
  const at = stages === undefined ? ', no stages (direct delegations)' : stageWords(stages);
  return `${nameOf(about)} ${oneLine(title, 60)}, ${run}: ${endWord(end) ?? status}${why}, ${time}${at}`;
}

function nameOf({ command, number, language }: Pick<RegistryRun, 'command' | 'number' | 'language'>): string {
  const about = number === undefined ? '' : ` ${number}`;
  return `${oneLine(command, 40)}${about}${language === undefined ? '' : ` [${oneLine(language, 40)}]`}`;
}

const since = (milliseconds: number): string => `for ${shortDuration(milliseconds)}`;
const stamp = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

function stageWords({ current }: CommandRecord): string {
  if (current === null) return ', no stage reached';
  return `, stage ${current} (${commandStages.indexOf(current) + 1} of ${commandStages.length})`;
}

function delegationLines(one: RegistryDelegation): string[] {
  const { session, task, agent, path, depth, began, deadline, left, status, pid } = one;
  const time = left > 0 ? `${shortDuration(left)} left` : `overdue by ${shortDuration(-left)}`;
  const where = pid === undefined ? '' : `, process ${pid}`;
  return [
    `  ${session}: ${oneLine(task, 60)} by ${oneLine(agent, 60)}, ${status}${where}`,
    `    ${oneLine(path.join(' → '), 300)} (depth ${depth})`,
    `    began ${stamp(began)}, deadline ${stamp(deadline)}: ${time}`,
  ];
}

function stageLines({ completed, skipped, notes, postflight }: CommandRecord): string[] {
  return [
    `  completed: ${completed.join(', ') || 'none'}${skipped.length === 0 ? '' : `; skipped: ${skipped.join(', ')}`}`,
    ...(notes.routing === undefined ? [] : [`  routing: ${oneLine(notes.routing, 200)}`]),
    `  postflight: ${factWords(postflight)}`,
  ];
}

function factWords(record: PostflightRecord): string {
  const { syncInvoked, syncCompleted, todoUpdated, stateUpdated, commitCreated, notes } = record;
  const fact = (is: boolean, name: PostflightFact, yes: string, no: string): string => {
    const note = notes[name] === undefined ? '' : ` (${oneLine(notes[name], 160)})`;
    return `${is ? yes : no}${note}`;
  };
  return [
    syncInvoked ? 'status sync invoked' : 'status sync not invoked',
    fact(syncCompleted, 'sync', 'completed', 'not completed'),
    fact(todoUpdated, 'todo', 'TODO.md updated', 'TODO.md not updated'),
    fact(stateUpdated, 'state', 'state.json updated', 'state.json not updated'),
    fact(commitCreated, 'commit', 'commit created', 'no commit'),
  ].join(', ');
}

/** For a run that is not active: where it stopped, and the commands that resume it. */
function nextLines({ run, kind, command, number, status, stages }: RegistryRun): string[] {
  const next = status === 'interrupted' ? undefined : continueText(status, run);
  if (next !== undefined) return [`  ${next}`];
  if (status !== 'interrupted' && status !== 'paused') return [];
  const again = number === undefined ? '' : `\`divisi ${oneLine(command, 40)} ${number}\` or `;
  const step = stages?.postflight.next;
  const at = stages?.current == null ? '' : ` at ${stages.current}${step == null ? '' : `: ${step}`}`;
  return [`  ${status}${at}; ${again}\`${resumeCommand(run, kind)}\` resumes it`];
}
