/**
 * Task surroundings: the plan around a task, and what the tasks before it left, for its prompt. Bounded whatever the
 * plan's size. Words of other agents are redacted, cut, and in double quotes that they cannot end.
 */
import { oneLine, redactedLine } from '../../base/text.ts';
import { notesOf } from '../event/make-outcome.ts';
import type { Outcome } from '../event/outcome.ts';
import { namedTasks } from '../state/named-tasks.ts';
import { findTask, type RunState, waveAt } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

export interface TaskSurroundings {
  /** Absent for a run without a plan file. */
  readonly plan?: { readonly title: string; readonly file: string; readonly goal?: string; readonly wave?: string };
  /** One line for each dependency, and for each other task whose notes name this one. */
  readonly before: readonly string[];
}

/** Characters of all lines about other tasks. */
export const beforeBudget = 4000;
const mostTasks = 50;
const mostFiles = 6;
const mostNotes = 4;

export function surroundingsOf(state: RunState, task: TaskState): TaskSurroundings {
  const { file } = state.created.plan;
  return { ...(file === '' ? {} : { plan: planOf(state, task) }), before: beforeLines(state, task) };
}

function planOf(state: RunState, { wave: number }: TaskState): TaskSurroundings['plan'] & object {
  const { title, goal } = state.created.plan;
  const wave = waveAt(state, number);
  const isOfPlan = wave !== undefined && wave !== state.audit && wave !== state.final;
  return {
    title: oneLine(title, 200),
    file: oneLine(state.planFile, 300),
    ...(goal.trim() === '' ? {} : { goal: oneLine(goal, 1000) }),
    ...(isOfPlan ? { wave: oneLine(wave.title === '' ? `${wave.inPlan}` : `${wave.inPlan}, ${wave.title}`, 200) } : {}),
  };
}

function beforeLines(state: RunState, task: TaskState): string[] {
  const { found, left: unseen } = dependenciesOf(state, task);
  const named = task.namedBy.flatMap((id) => findTask(state, id) ?? []).filter((one) => !found.has(one));
  const { id } = task.planned;
  const lines = [
    ...Array.from(found, (one) => leftBy(one, () => true)),
    ...named.flatMap((one) => {
      const isAbout = (note: string): boolean => namedTasks(note, (word) => word === id).size > 0;
      return notesOf(outcomeOf(one)).some(isAbout) ? [leftBy(one, isAbout)] : [];
    }),
  ];
  return withinBudget(lines, unseen);
}

/** The tasks it waits for, and the number of those beyond the limit. */
function dependenciesOf(
  state: RunState,
  { planned }: TaskState,
): { readonly found: ReadonlySet<TaskState>; readonly left: number } {
  const found = new Set<TaskState>();
  let left = 0;
  for (const after of planned.after) {
    const tasks = 'wave' in after ? (waveAt(state, after.wave)?.tasks ?? []) : [state.tasks.get(after.task)];
    const room = Math.max(0, mostTasks - found.size);
    for (const one of tasks.slice(0, room)) if (one !== undefined) found.add(one);
    left += Math.max(0, tasks.length - room);
  }
  return { found, left };
}

function outcomeOf({ progress }: TaskState): Outcome | undefined {
  return 'outcome' in progress ? progress.outcome : undefined;
}

/** `1.1 Add tests (completed): "Added 3 tests."; files: a.ts, b.ts; notes: "Ready for merge"`. */
function leftBy(task: TaskState, isShown: (note: string) => boolean): string {
  const { planned, progress } = task;
  const outcome = outcomeOf(task);
  const { summary = '', files = [] } = outcome ?? {};
  const paths = files.slice(0, mostFiles).map((path) => redactedLine(path, 100));
  const rest = files.length - paths.length;
  const notes = notesOf(outcome).filter(isShown).slice(0, mostNotes);
  return [
    `${planned.id} ${oneLine(planned.title, 80)} (${progress.status})${summary === '' ? '' : `: ${quoted(summary, 240)}`}`,
    ...(paths.length === 0 ? [] : [`files: ${paths.join(', ')}${rest === 0 ? '' : ` and ${rest} more`}`]),
    ...(notes.length === 0 ? [] : [`notes: ${notes.map((note) => quoted(note, 200)).join(', ')}`]),
  ].join('; ');
}

const quoted = (text: string, most: number): string => `"${redactedLine(text, most).replaceAll('"', "'")}"`;

function withinBudget(lines: readonly string[], unseen: number): string[] {
  const more = (count: number): string => `and ${count} more tasks`;
  const kept: string[] = [];
  let room = beforeBudget - more(1_000_000).length;
  for (const line of lines) {
    room -= line.length;
    if (room < 0) break;
    kept.push(line);
  }
  const left = lines.length - kept.length + unseen;
  return left === 0 ? kept : [...kept, more(left)];
}
