/** Note lines: agents' notes to others and their acceptance checks, each with its task. Agents' words are flattened and cut. */
import { checksOf, notesOf } from '../../core/event/make-outcome.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { oneLine } from '../../base/text.ts';
import { counted } from '../text/quantity.ts';
import { checkText, claimCount } from './proof-text.ts';
import type { TaskReport } from './task-report.ts';

const mostLines = 12;
const mostNote = 300;

/** `1.1: No conflicts, ready for merge`. */
export function taskNotes(tasks: readonly TaskState[]): string[] {
  const all = tasks.flatMap(({ planned, progress }) =>
    notesOf('outcome' in progress ? progress.outcome : undefined).map((note) => ({ task: planned.id, note })),
  );
  return onceEach(all).map(({ from, note }) => `${from}: ${note}`);
}

/** The same note of several tasks is one line: `1.1, 1.2 and 4 more`. */
function onceEach(
  all: readonly { readonly task: string; readonly note: string }[],
): { readonly from: string; readonly note: string }[] {
  const byNote = Map.groupBy(all, ({ note }) => oneLine(note, mostNote));
  return Array.from(byNote, ([note, said]) => ({ from: tasksText([...new Set(said.map(({ task }) => task))]), note }));
}

const mostTasks = 3;

function tasksText(tasks: readonly string[]): string {
  const more = tasks.length - mostTasks;
  return `${tasks.slice(0, mostTasks).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** `1.1: claims 2/3 criteria; claimed fail: Survives a reload`. */
export function taskClaims(tasks: readonly TaskState[]): string[] {
  return tasks.flatMap(({ planned, progress }) => {
    const checks = checksOf('outcome' in progress ? progress.outcome : undefined);
    const failed = checks.filter(({ status }) => status !== 'pass').map(checkText);
    return checks.length === 0 ? [] : [`${planned.id}: ${[claimCount(checks), ...failed].join('; ')}`];
  });
}

interface NotedRun {
  readonly run: string;
  readonly tasks: readonly TaskReport[];
  readonly gates: readonly TaskReport[];
}

export function noteLines({ run, tasks, gates }: NotedRun): string[] {
  const all = onceEach([...tasks, ...gates].flatMap(({ task, notes = [] }) => notes.map((note) => ({ task, note }))));
  const lines = all.slice(0, mostLines).map(({ from, note }) => `note from ${from}: ${note}`);
  const left = all.length - lines.length;
  return left > 0 ? [...lines, `and ${counted(left, 'more note')}; divisi status ${run} --json has them all`] : lines;
}
