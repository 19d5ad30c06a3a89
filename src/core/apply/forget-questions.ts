/** Voids the questions about work that is done again, and the failures counted against it. */
import { type RunState, tasksAskedAt } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

/** Voids questions about reopened work, and planned checkpoints approved after it. */
export function forgetQuestions(state: RunState, reopenedTasks: ReadonlySet<string>): void {
  const first = Math.min(...Array.from(reopenedTasks, (id) => state.tasks.get(id)?.wave ?? Infinity));
  for (const one of state.checkpoints) {
    if (one.kind === 'planned' && one.status === 'approved' && one.afterWave >= first) one.status = 'coming';
    if (one.status !== 'open') continue;
    const asked = tasksAskedAt(state, one.id);
    if (!asked.some(({ planned }) => reopenedTasks.has(planned.id))) continue;
    one.status = 'replaced';
    for (const task of asked) askNoMore(state, task);
  }
  for (const [signature, tasks] of state.failures) {
    if (!tasks.some((id) => reopenedTasks.has(id))) continue;
    state.failures.delete(signature);
    state.index.tripped.delete(signature);
  }
}

/** The consequence of the attempt is decided again. */
function askNoMore(state: RunState, task: TaskState): void {
  if (task.progress.status !== 'ended') return;
  const { end, outcome } = task.progress;
  task.progress = { status: 'ended', end, outcome };
  state.index.ended.set(task.planned.id, task);
}
