/**
 * Gives the free slots of a run to ready tasks. Called by `apply` alone: slots are part of the state, so replaying the events
 * gives the same ones. A task gets a slot when one is free and no lock overlaps its scope; it takes all of its locks at once.
 */
import { hold, conflictingHolder, newLocks, release } from '../../delegation/scope-locks.ts';
import { isHeldByEdit } from './hold.ts';
import { clear, newQueue, push, sizeOf, take } from './queue.ts';
import { currentWave, findTask, isOpen, type RunState } from './state.ts';
import { type Group, isAccepted, type TaskState } from './task-state.ts';

/** Scopes are minimal and sorted, so the same scope has the same key. */
function keyOf(scope: readonly string[]): string {
  return scope.join('\n');
}

/**
 * Queues a task that waits for nothing but locks and a slot. A task held by an open question is left out; the answer
 * arranges all tasks again.
 */
export function enqueue(state: RunState, task: TaskState): void {
  const { id, scope } = task.planned;
  if (isHeldByEdit(state, id)) return;
  const key = keyOf(scope);
  const known = scope.length === 0 ? undefined : state.index.groups.get(key);
  if (known !== undefined) {
    task.group = known;
    push(known.tasks, task);
    return;
  }
  const group: Group = { scope, tasks: newQueue(task), behind: null };
  task.group = group;
  if (scope.length > 0) state.index.groups.set(key, group);
  push(state.index.ready, group);
}

/** Queues a new or reopened task if its wave is running. */
export function enter(state: RunState, task: TaskState): void {
  const wave = currentWave(state);
  if (state.status !== 'running' || wave.number !== task.wave || !isOpen(wave)) return;
  enqueue(state, task);
  giveSlots(state);
}

function wait(state: RunState, group: Group, behind: string): void {
  group.behind = behind;
  const others = state.index.waiting.get(behind);
  if (others === undefined) state.index.waiting.set(behind, [group]);
  else others.push(group);
}

/** Gives out the free slots, in order. */
export function giveSlots(state: RunState): void {
  const { concurrency } = state.created.settings;
  while (state.active.size + state.index.settling.size + state.index.startable.size < concurrency) {
    const group = take(state.index.ready);
    if (group === undefined) return;
    const holder = conflictingHolder(state.index.locks, group.scope);
    if (holder !== undefined) {
      wait(state, group, holder);
      continue;
    }
    const task = take(group.tasks);
    if (task === undefined) throw new Error('a group without tasks was ready');
    const { id } = task.planned;
    hold(state.index.locks, id, group.scope);
    state.index.startable.set(id, task);
    if (sizeOf(group.tasks) > 0) wait(state, group, id);
    else state.index.groups.delete(keyOf(group.scope));
  }
}

/** Releases the task's locks; the groups behind them are ready. */
export function leaveSlot(state: RunState, task: TaskState): void {
  const { id, scope } = task.planned;
  task.group = null;
  release(state.index.locks, id, scope);
  // Replaced for the reason given in `freshMap`.
  if (state.index.locks.held.size === 0) state.index.locks = newLocks();
  for (const group of state.index.waiting.get(id) ?? []) {
    group.behind = null;
    push(state.index.ready, group);
  }
  state.index.waiting.delete(id);
}

/** Empties the queues and slots. Tasks that run, are verified or are merged keep their locks. */
export function clearSlots(state: RunState): void {
  clear(state.index.ready);
  state.index.groups.clear();
  state.index.waiting.clear();
  state.index.startable.clear();
  state.index.locks.held.clear();
  state.index.locks.below.clear();
  for (const { registered } of state.active.values()) {
    hold(state.index.locks, registered.task, findTask(state, registered.task)?.planned.scope ?? []);
  }
  for (const [id, task] of state.index.settling) if (!isAccepted(task)) hold(state.index.locks, id, task.planned.scope);
}
