/** Note lines: agents' notes to others, each with its task. Agents' words are flattened and cut. */
import { notesOf } from '../../core/event/make-outcome.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import { oneLine } from '../../base/text.ts';
import { counted } from '../text/quantity.ts';
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
