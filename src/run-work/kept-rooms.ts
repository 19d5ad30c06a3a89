/** Finds which rooms and branches of a run are still needed, after a crash. */
import { findTask, type RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { taskRoom } from '../workspace/git/room/room-name.ts';
import { attemptNames } from './remove-rooms.ts';

/** Completed tasks of which one of these attempts has left its branch. */
export function tasksToTidy(state: RunState, left: ReadonlySet<string>): TaskState[] {
  const all = [...state.tasks.values(), ...state.gateTasks.values()];
  return all.filter(
    (task) => task.progress.status === 'completed' && attemptNames(task).some((name) => left.has(name)),
  );
}

/** Rooms of running and failed tasks; every other room is left over from a crash. */
export function keptRooms(state: RunState): ReadonlySet<string> {
  const all = [...state.tasks.values(), ...state.gateTasks.values()];
  const kept = all.filter(({ progress: { status } }) => status !== 'completed' && status !== 'skipped');
  return new Set(kept.map(({ planned }) => taskRoom(planned.id)));
}

/** The task whose folders can be removed after this event. */
export function completedTask(state: RunState, id: string): TaskState | undefined {
  const task = findTask(state, id);
  return task?.progress.status === 'completed' && task.attempts > 0 ? task : undefined;
}
