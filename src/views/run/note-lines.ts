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
  return tasks.flatMap(({ planned, progress }) =>
    notesOf('outcome' in progress ? progress.outcome : undefined).map(
      (note) => `${planned.id}: ${oneLine(note, mostNote)}`,
    ),
  );
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
  const all = [...tasks, ...gates].flatMap(({ task, notes = [] }) => notes.map((note) => ({ task, note })));
  const lines = all.slice(0, mostLines).map(({ task, note }) => `note from ${task}: ${oneLine(note, mostNote)}`);
  const left = all.length - lines.length;
  return left > 0 ? [...lines, `and ${counted(left, 'more note')}; divisi status ${run} --json has them all`] : lines;
}
