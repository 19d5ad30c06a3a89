/** Completes a change of a backlog task: adds what follows from it and drops what does not change. */
import type { ProjectTask, TaskChanges } from '../../todo/project-task.ts';
import { isOptionalKey, type OptionalKey } from './task-list-event.ts';

/** The status that a reason belongs to. */
const withReason: ReadonlySet<string> = new Set(['blocked', 'abandoned', 'expanded']);

export interface WholeChange {
  readonly set: Partial<ProjectTask>;
  readonly unset: OptionalKey[];
}

/** Null if nothing changes. A key with an undefined value is removed. */
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
