/** Applies a person's edit of the plan to the run, where the run has not passed it yet. */
import type { Amendment } from '../event/amendment.ts';
import { arrangeAgain } from './apply-waves.ts';
import type { EventOf } from '../event/event.ts';
import { illegal } from './illegal.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import { addWave, askedTask, checkpointId, type RunState } from '../state/state.ts';
import { isSettling, newTask, type TaskState } from '../state/task-state.ts';

/**
 * Keeps the amendments that can be applied now, in order; calls `refused` with the reason for each other one, in
 * words for a person.
 */
export function filterApplicable(
  state: RunState,
  amendments: readonly Amendment[],
  refused: (why: string) => void,
): readonly Amendment[] {
  const ahead = nothingAhead();
  return amendments.filter((amendment) => {
    const refusal = refusalOf(state, amendment, ahead);
    if (refusal !== undefined) refused(refusal);
    else look(state, amendment, ahead);
    return refusal === undefined;
  });
}

/** The effect of the preceding amendments: added waves, and the status of tasks by id. */
interface Ahead {
  waves: number;
  /** Null: removed. */
  readonly tasks: Map<string, TaskStatus | null>;
}

type TaskStatus = TaskState['progress']['status'];

const nothingAhead = (): Ahead => ({ waves: 0, tasks: new Map() });

function look(state: RunState, amendment: Amendment, ahead: Ahead): void {
  const { tasks } = ahead;
  if (amendment.kind === 'add-wave') ahead.waves += 1;
  if (amendment.kind === 'add') tasks.set(amendment.task.id, amendment.task.done ? 'completed' : 'pending');
  if (amendment.kind === 'tick') tasks.set(amendment.task, 'completed');
  if (amendment.kind === 'remove') tasks.set(amendment.task, null);
  if (amendment.kind !== 'rename') return;
  tasks.set(amendment.to, find(state, amendment.from, ahead) ?? null);
  tasks.set(amendment.from, null);
}

function find({ tasks }: RunState, id: string, ahead: Ahead): TaskStatus | undefined {
  const status = ahead.tasks.get(id);
  return status === null ? undefined : (status ?? tasks.get(id)?.progress.status);
}

function refusalOf(state: RunState, amendment: Amendment, ahead: Ahead): string | undefined {
  switch (amendment.kind) {
    case 'add':
      if (find(state, amendment.task.id, ahead) !== undefined) return `task ${amendment.task.id} already exists`;
      return waveRefusal(state, amendment.wave, ahead);
    case 'change':
      return taskRefusal(
        find(state, amendment.task.id, ahead),
        amendment.task.id,
        'the change does not apply to this run',
      );
    case 'remove':
      return taskRefusal(find(state, amendment.task, ahead), amendment.task, 'it stays in this run');
    case 'tick':
      return tickRefusal(state, amendment.task, ahead);
    case 'move':
      return (
        taskRefusal(find(state, amendment.task, ahead), amendment.task, 'it stays in its wave') ??
        waveRefusal(state, amendment.wave, ahead)
      );
    case 'rename': {
      if (find(state, amendment.to, ahead) !== undefined) return `task ${amendment.to} already exists`;
      const status = find(state, amendment.from, ahead);
      if (status === undefined) return `there is no task ${amendment.from}`;
      const atWork = status === 'running' || status === 'repairing' || status === 'ended' || isSettling(status);
      return atWork ? `${amendment.from} is in progress; it keeps its id for this run` : undefined;
    }
    case 'order':
    case 'change-wave':
      return waveRefusal(state, amendment.wave, ahead);
    case 'add-wave':
      return state.final.status === 'pending' ? undefined : 'the final review has started; no wave can be added';
    case 'add-checkpoint':
    case 'remove-checkpoint':
      return amendment.afterWave <= state.waveIndex ? `wave ${amendment.afterWave} is over` : undefined;
    default:
      return amendment satisfies never;
  }
}

function waveRefusal({ waves }: RunState, number: number, ahead: Ahead): string | undefined {
  const wave = waves[number - 1];
  if (number > waves.length && number <= waves.length + ahead.waves) return undefined;
  if (wave === undefined) return 'its wave is not in this run';
  return wave.status === 'completed' || wave.status === 'failed' ? `wave ${wave.inPlan} is over` : undefined;
}

function taskRefusal(status: TaskStatus | undefined, id: string, hence: string): string | undefined {
  if (status === undefined) return `there is no task ${id} in this run`;
  return status === 'pending' || status === 'skipped' ? undefined : `${id} is ${status}; ${hence}`;
}

/** A failed task may have been fixed by hand, as may one that a person is asked about. */
function tickRefusal(state: RunState, id: string, ahead: Ahead): string | undefined {
  const status = find(state, id, ahead);
  // An earlier amendment may have reused the id or settled the question.
  const progress = ahead.tasks.has(id) ? undefined : state.tasks.get(id)?.progress;
  const isAsked = progress?.status === 'ended' && progress.asks !== undefined && 'checkpoint' in progress.asks;
  const isFailed = status === 'failed' || status === 'partial' || status === 'blocked';
  return isAsked || isFailed ? undefined : taskRefusal(status, id, 'ticking it changes nothing');
}

export function amend(state: RunState, event: EventOf<'plan.amended'>): void {
  for (const amendment of event.amendments) {
    const refusal = refusalOf(state, amendment, nothingAhead());
    if (refusal !== undefined) throw illegal(event, refusal);
    change(state, amendment);
  }
  state.amendments += 1;
  state.accepted = [];
  arrangeAgain(state);
}

function change(state: RunState, amendment: Amendment): void {
  switch (amendment.kind) {
    case 'add':
      return addTask(state, amendment.task, amendment.wave, amendment.at);
    case 'remove':
      return removeTask(state, amendment.task);
    case 'change': {
      const task = taskOf(state, amendment.task.id);
      task.planned = amendment.task;
      task.tier = amendment.task.tier;
      return undefined;
    }
    case 'rename':
      return renameTask(state, amendment.from, amendment.to);
    case 'move': {
      const task = taskOf(state, amendment.task);
      detach(state, task);
      task.wave = amendment.wave;
      state.waves[amendment.wave - 1]?.tasks.splice(amendment.at, 0, task);
      return undefined;
    }
    case 'order': {
      const place = new Map(amendment.tasks.map((id, at) => [id, at]));
      const tasks = state.waves[amendment.wave - 1]?.tasks;
      tasks?.sort((one, other) => (place.get(one.planned.id) ?? 0) - (place.get(other.planned.id) ?? 0));
      return undefined;
    }
    case 'tick':
      return tick(state, amendment.task);
    case 'add-wave':
      addWave(state, amendment);
      return undefined;
    case 'change-wave': {
      const { title, reviewTier, reviewer } = amendment;
      Object.assign(state.waves[amendment.wave - 1] ?? {}, { title, reviewTier, reviewer });
      return undefined;
    }
    case 'add-checkpoint': {
      const { afterWave, why } = amendment;
      const id = checkpointId(state.checkpoints.length + 1);
      state.checkpoints.push({ id, kind: 'planned', afterWave, why, status: 'coming' });
      return undefined;
    }
    case 'remove-checkpoint':
      for (const one of state.checkpoints) {
        const same = one.kind === 'planned' && one.afterWave === amendment.afterWave && one.why === amendment.why;
        if (same && one.status === 'coming') one.status = 'replaced';
      }
      return undefined;
    default:
      return amendment satisfies never;
  }
}

/** Marks the task as done by a person and closes the questions about it. */
function tick(state: RunState, id: string): void {
  const task = taskOf(state, id);
  task.progress = { status: 'completed' };
  state.index.ended.delete(id);
  for (const one of state.checkpoints) if (one.status === 'open' && askedTask(one) === id) one.status = 'replaced';
}

function taskOf({ tasks }: RunState, id: string): TaskState {
  const task = tasks.get(id);
  if (task === undefined) throw new Error(`there is no task ${id}`);
  return task;
}

function addTask(state: RunState, planned: PlannedTask, number: number, at: number): void {
  const task = newTask(planned, number);
  state.tasks.set(planned.id, task);
  state.waves[number - 1]?.tasks.splice(at, 0, task);
}

function detach({ waves }: RunState, task: TaskState): void {
  const tasks = waves[task.wave - 1]?.tasks;
  tasks?.splice(tasks.indexOf(task), 1);
}

function removeTask(state: RunState, id: string): void {
  detach(state, taskOf(state, id));
  state.tasks.delete(id);
}

function renameTask(state: RunState, from: string, to: string): void {
  const task = taskOf(state, from);
  task.planned = { ...task.planned, id: to };
  state.tasks.delete(from);
  state.tasks.set(to, task);
  for (const other of state.tasks.values()) {
    if (other.namedBy.includes(from)) other.namedBy = other.namedBy.map((id) => (id === from ? to : id));
    if (!other.planned.after.some((after) => 'task' in after && after.task === from)) continue;
    const after = other.planned.after.map((one) => ('task' in one && one.task === from ? { task: to } : one));
    other.planned = { ...other.planned, after };
  }
}
