/** A change of a backlog task, made whole: what follows from it, and nothing that is as it was. */
import type { ProjectTask, TaskChanges } from '../../todo/project-task.ts';
import { isOptionalKey, type OptionalKey } from './task-list-event.ts';

/** What a reason belongs to. */
const withReason: ReadonlySet<string> = new Set(['blocked', 'abandoned', 'expanded']);

export interface WholeChange {
  readonly set: Partial<ProjectTask>;
  readonly unset: OptionalKey[];
}

/** Null when the task is that way already. A key whose value is undefined is taken away. */
export function wholeChange(task: ProjectTask, changes: TaskChanges, at: string): WholeChange | null {
  const wanted: TaskChanges = { ...following(task, changes, at), ...changes };
  const set: Record<string, unknown> = {};
  const unset: OptionalKey[] = [];
  for (const [key, value] of Object.entries(wanted)) {
    const was: unknown = task[key as keyof ProjectTask];
    if (JSON.stringify(was) === JSON.stringify(value)) continue;
    if (value !== undefined) set[key] = value;
    else if (isOptionalKey(key)) unset.push(key);
  }
  if (Object.keys(set).length === 0 && unset.length === 0) return null;
  return { set: { ...set, updated: at }, unset };
}

function following({ status }: ProjectTask, { status: next }: TaskChanges, at: string): TaskChanges {
  if (next === undefined || next === status) return {};
  return {
    completed: next === 'completed' ? at : undefined,
    ...(withReason.has(status) || withReason.has(next) ? { reason: undefined } : {}),
  };
}
