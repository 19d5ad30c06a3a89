/** Sets a backlog task's status and artifacts: while a command runs, at its end, or back to what they were. Safe to repeat. */
import type { RunId } from '../base/ids.ts';
import { oneLine } from '../base/text.ts';
import { activeStatus, commandOf, tasksDone, statusAfter, workEnd } from '../core/workflow/command-end.ts';
import type { RunState } from '../core/state/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import type { TaskStatus } from '../todo/task-status.ts';
import { commandArtifacts, commandTrouble } from '../views/command/command-report.ts';

/** Refused (TASK_TRANSITION) where that may not follow. */
export function beginTask({ taskList }: Ledger, command: string, number: number, run: RunId): void {
  const status = activeStatus(command);
  if (status !== undefined) taskList.change(number, { status }, { by: 'command', run });
}

/** Why a task is not done although its agents are. */
interface Unfinished {
  /** The work is not in the user's checkout. */
  readonly away?: string | undefined;
  /** Its plan asks for more than they were given. */
  readonly left?: string | undefined;
}

/** Answers the status that the task has now. */
export function settleTask(ledger: Ledger, state: RunState, { away, left }: Unfinished): TaskStatus {
  return ledger.atomically(() => {
    const { command, number } = commandOf(state);
    const { run } = state.created;
    const task = known(ledger, number);
    const by = { by: 'command', run } as const;
    const active = activeStatus(command);
    const isMerged = away === undefined;
    const next = statusAfter(state, isMerged && left === undefined);
    const artifacts = isMerged ? artifactsOf(state, task) : {};
    if (active === undefined) {
      // A review says something about the work, and nothing about how far it is.
      return ledger.taskList.change(number, artifacts, by).status;
    }
    if (next === undefined) return putBack(ledger, state, active);
    // What somebody has said about it meanwhile counts: it is blocked, or not wanted any more.
    if (task.status !== next && task.status !== active && !isOwnEnd(ledger, number, run)) {
      return ledger.taskList.change(number, artifacts, by).status;
    }
    if (task.status !== next && task.status !== active) beginTask(ledger, command, number, run);
    const blocked = workEnd(state) === 'blocked' ? { reason: reasonOf(state) } : {};
    const reason = next === 'partial' ? (away ?? left) : undefined;
    const because = reason === undefined ? {} : { reason };
    return ledger.taskList.change(number, { status: next, ...because, ...blocked, ...artifacts }, by).status;
  });
}

/** Whether it is what an earlier end of this command has made of it. */
function isOwnEnd({ taskList }: Ledger, number: number, run: RunId): boolean {
  const last = taskList.history(number).findLast((one) => one.kind === 'task.changed' && one.set.status !== undefined);
  return last?.kind === 'task.changed' && last.run === run;
}

/**
 * What the task was when this run began with it, or `partial` where a phase of it is done; left alone where somebody else has
 * changed it since.
 */
export function putBack(ledger: Ledger, state: RunState, active: TaskStatus): TaskStatus {
  const { taskList } = ledger;
  const { number, command } = commandOf(state);
  const { run } = state.created;
  const { status } = known(ledger, number);
  const begun = taskList.history(number).findLast((one) => one.kind === 'task.changed' && one.set.status !== undefined);
  if (status !== active || begun?.kind !== 'task.changed' || begun.run !== run) return status;
  const isBegun = command === 'implement' && tasksDone(state).length > 0;
  if (isBegun) return taskList.change(number, { status: 'partial' }, { by: 'command', run }).status;
  return taskList.change(number, { status: begun.was }, { by: 'command', run, undo: true }).status;
}

function known({ taskList }: Ledger, number: number): ProjectTask {
  const task = taskList.task(number);
  if (task === null) throw new Error(`task ${number} is no longer in the task list`);
  return task;
}

/** The newest of a kind comes last, also where it was there before. */
function artifactsOf(state: RunState, { artifacts }: ProjectTask): Pick<ProjectTask, 'artifacts'> {
  const made = commandArtifacts(state);
  const paths = new Set(made.map(({ path }) => path));
  return { artifacts: [...artifacts.filter(({ path }) => !paths.has(path)), ...made] };
}

function reasonOf(state: RunState): string {
  return oneLine(commandTrouble(state)?.violations[0] ?? 'its agent is blocked', 300);
}
