/** Why a task that could run does not: every waiting task has a reason that can be shown. */
import type { RunState, TaskState } from './state.ts';

export type Waiting =
  | { readonly for: 'wave'; readonly wave: number }
  | { readonly for: 'dependency'; readonly tasks: readonly string[] }
  | { readonly for: 'scope-lock'; readonly task: string }
  | { readonly for: 'concurrency'; readonly most: number }
  | { readonly for: 'checkpoint'; readonly checkpoint: string; readonly why: string }
  | { readonly for: 'start'; readonly run: string };

/** Undefined for a task that does not wait: it runs, it has ended, or it was skipped. */
export function waitingFor(state: RunState, task: TaskState): Waiting | undefined {
  if (task.progress.status !== 'pending') return undefined;
  if (state.status !== 'running') return { for: 'start', run: state.status };
  const wave = state.waves[task.wave - 1];
  if (wave?.status !== 'running') {
    const held = state.checkpoints.find(({ status }) => status === 'open');
    if (held !== undefined && task.wave === state.waveIndex + 1) {
      return { for: 'checkpoint', checkpoint: held.id, why: held.why };
    }
    return { for: 'wave', wave: task.wave };
  }
  const open = task.planned.after.flatMap((after) => {
    const other = 'task' in after ? state.tasks.get(after.task) : undefined;
    return other === undefined || other.progress.status === 'completed' ? [] : [other.planned.id];
  });
  if (open.length > 0) return { for: 'dependency', tasks: open };
  const behind = task.group?.behind;
  if (behind !== undefined && behind !== null) return { for: 'scope-lock', task: behind };
  return { for: 'concurrency', most: state.created.settings.concurrency };
}
