/** Sets a backlog task's status and artifacts: while a command runs, at its end, or back to what they were. Safe to repeat. */
import type { RunId } from '../base/ids.ts';
import { oneLine } from '../base/text.ts';
import { activeStatus, commandOf, tasksDone, statusAfter, workEnd } from '../core/workflow/command-end.ts';
import type { RunState } from '../core/state/state.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import type { TaskStatus } from '../todo/task-status.ts';
import { commandArtifacts, commandTrouble } from '../views/command/command-report.ts';

/** Throws TASK_TRANSITION for a forbidden change. */
export function beginTask({ taskList }: Ledger, command: string, number: number, run: RunId): void {
  const status = activeStatus(command);
  if (status !== undefined) taskList.change(number, { status }, { by: 'command', run });
}

/** Reasons why a task is not done although its agents are. */
interface Unfinished {
  /** The work is not in the user's checkout. */
  readonly away?: string | undefined;
  /** The plan has open phases. */
  readonly left?: string | undefined;
}

/** Returns the task's new status. */
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
      // A review does not change the status.
      return ledger.taskList.change(number, artifacts, by).status;
    }
    if (next === undefined) return restoreTask(ledger, state, active);
    // A status set by a person meanwhile counts, such as blocked or abandoned.
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

/** True if an earlier postflight of this command set the status. */
function isOwnEnd({ taskList }: Ledger, number: number, run: RunId): boolean {
  const last = taskList.history(number).findLast((one) => one.kind === 'task.changed' && one.set.status !== undefined);
  return last?.kind === 'task.changed' && last.run === run;
}

/**
 * Restores the status from before this run, or `partial` where a phase is done. Keeps a status that someone else set
 * since.
 */
export function restoreTask(ledger: Ledger, state: RunState, active: TaskStatus): TaskStatus {
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

/** The newest of a kind comes last, even if it was listed before. */
function artifactsOf(state: RunState, { artifacts }: ProjectTask): Pick<ProjectTask, 'artifacts'> {
  const made = commandArtifacts(state);
  const paths = new Set(made.map(({ path }) => path));
  return { artifacts: [...artifacts.filter(({ path }) => !paths.has(path)), ...made] };
}

function reasonOf(state: RunState): string {
  return oneLine(commandTrouble(state)?.violations[0] ?? 'its agent is blocked', 300);
}
