/** What a task has changed for all that follow it. */
import type { RunState } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';

/** In a run with a branch, what is in it; work that was refused is nowhere. Where a program did the work, what that says. */
export function mergedFiles({ created }: RunState, { commit, verification, progress }: TaskState): readonly string[] {
  if (created.workspace === undefined) return 'outcome' in progress ? (progress.outcome?.files ?? []) : [];
  return commit === null ? [] : (verification?.changes ?? []).map(({ path }) => path);
}
