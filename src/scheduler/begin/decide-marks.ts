/** Decides what becomes of ticks whose work is not in the base of a new run; refuses where no one has said it. */
import { divisiError } from '../../base/error.ts';
import type { PlanTask } from '../../plan/plan.ts';
import type { UnmergedRun } from '../../run-work/unmerged-marks.ts';
import type { RunWorkspaceSpec } from './begin-run.ts';
import type { ReadPlan } from './read-run-plan.ts';
import { unmergedLines } from './unmerged-lines.ts';

/** `branch`: start from the earlier run's branch. `again`: do the tasks again. `done`: take them as done. */
export const markAnswers = ['branch', 'again', 'done'] as const;
export type MarkAnswer = (typeof markAnswers)[number];

export function markedTasks({ plan }: Pick<ReadPlan, 'plan'>): string[] {
  return plan.waves.flatMap(({ tasks }) => tasks.filter(({ mark }) => mark === 'x').map(({ id }) => id));
}

export interface DecidedMarks {
  readonly read: ReadPlan;
  readonly buildsOn: NonNullable<RunWorkspaceSpec['buildsOn']>;
}

export function decideMarks(
  read: ReadPlan,
  found: readonly UnmergedRun[],
  answer: MarkAnswer | undefined,
): DecidedMarks {
  if (found.length === 0) return { read, buildsOn: [] };
  switch (answer) {
    case 'branch':
      return { read, buildsOn: found };
    case 'again':
      return { read: reopened(read, new Set(found.flatMap(({ tasks }) => tasks))), buildsOn: [] };
    case 'done':
      return { read, buildsOn: [] };
    case undefined:
      throw unmergedError(read.file, found);
    default:
      return answer satisfies never;
  }
}

function reopened(read: ReadPlan, ids: ReadonlySet<string>): ReadPlan {
  const ofTask = (task: PlanTask): PlanTask => (ids.has(task.id) ? { ...task, mark: ' ' } : task);
  const waves = read.plan.waves.map((wave) => ({ ...wave, tasks: wave.tasks.map(ofTask) }));
  return { ...read, plan: { ...read.plan, waves } };
}

/** What a person may answer: a branch that is gone is nothing to start from. */
export function answersFor(found: readonly UnmergedRun[]): readonly MarkAnswer[] {
  return found.every(({ head }) => head !== undefined) ? markAnswers : ['again', 'done'];
}

const meanings: Readonly<Record<MarkAnswer, string>> = {
  branch: '`--marks branch` (start from that branch)',
  again: '`--marks again` (do them again)',
  done: '`--marks done` (take them as done)',
};

function unmergedError(file: string, found: readonly UnmergedRun[]): Error {
  const kept = found.find(({ head }) => head !== undefined);
  const merge = kept === undefined ? '' : `, or merge the work first: \`divisi merge ${kept.run} --yes\``;
  return divisiError('MARKS_UNMERGED', {
    message: [`${file} has ticked tasks whose work is not where the run would start:`, ...unmergedLines(found)].join(
      '\n',
    ),
    expected: anyOf(answersFor(found).map((answer) => meanings[answer])),
    next: `Give one of them${merge}. Nothing was started.`,
    ids: { file },
  });
}

function anyOf(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].join(' or ');
}
