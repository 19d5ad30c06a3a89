/**
 * Compare task: separates a person's changes in a file from values that are only out of date, field by field.
 * Base is what Divisi wrote last, found is the file now, ours is the task list. Never deletes a value, and reports every conflict.
 */
import { foundOf, type FoundTask, isSameTime } from './found-task.ts';
import type { ProjectTask, TaskChanges } from './project-task.ts';
import { mayFollow, statusKey } from './task-status.ts';

export interface PersonChanges {
  readonly changes: TaskChanges;
  /** Each names both values. */
  readonly conflicts: readonly string[];
}

/** Fields that a person may change; a time of change is not a change. */
const fields = [
  'title',
  'description',
  'status',
  'language',
  'effort',
  'priority',
  'reason',
  'parent',
  'completed',
] as const;
type FieldName = (typeof fields)[number];

export function whatPersonChanged(
  base: FoundTask | undefined,
  found: FoundTask | undefined,
  ours: ProjectTask | undefined,
): PersonChanges {
  if (found === undefined) {
    const isRemoved = base !== undefined && ours !== undefined;
    return {
      changes: {},
      conflicts: isRemoved ? [`task ${base.number} was removed by hand, but is still in the task list`] : [],
    };
  }
  if (ours === undefined) {
    if (base === undefined) return { changes: draftOf(found), conflicts: [] };
    const isChanged = fields.some((name) => isSaid(found, name) && !isSame(base, found, name));
    return {
      changes: {},
      conflicts: isChanged ? [`task ${found.number} was changed by hand, but is no longer in the task list`] : [],
    };
  }
  const changes: TaskChanges = addedArtifacts(base, found, ours);
  const conflicts: string[] = [];
  const mine = foundOf(ours);
  for (const name of fields) {
    if (!isSaid(found, name) || isSame(base, found, name) || isSame(mine, found, name)) continue;
    const why = conflictOf(base, mine, found, name);
    if (why === undefined) Object.assign(changes, { [name]: found[name] });
    else conflicts.push(`task ${found.number}: ${why}`);
  }
  return { changes, conflicts };
}

function addedArtifacts(base: FoundTask | undefined, found: FoundTask, ours: ProjectTask): TaskChanges {
  const known = new Set([...(base?.artifacts ?? []), ...(foundOf(ours).artifacts ?? [])].map(({ path }) => path));
  const added = (found.artifacts ?? []).filter(({ path }) => !known.has(path));
  return added.length === 0 ? {} : { artifacts: [...ours.artifacts, ...added] };
}

/** A field missing from the file is not a change: values are removed with the command. */
function isSaid(found: FoundTask, name: FieldName): boolean {
  return found[name] !== undefined && !(name === 'title' && found.isTitleMade);
}

function draftOf({
  number: _number,
  created: _created,
  updated: _updated,
  slug: _slug,
  isTitleMade: _made,
  ...draft
}: FoundTask): TaskChanges {
  return draft;
}

function conflictOf(
  base: FoundTask | undefined,
  mine: FoundTask,
  found: FoundTask,
  name: FieldName,
): string | undefined {
  const [here, there] = [shown(mine, name), shown(found, name)];
  if (base === undefined) return `${name} is ${there} in the file and ${here} in the task list`;
  if (!isSame(base, mine, name)) return `${name} was changed to ${there} by hand, and to ${here} in the meantime`;
  const isIllegal =
    name === 'status' &&
    mine.status !== undefined &&
    found.status !== undefined &&
    !mayFollow(mine.status, found.status);
  return isIllegal ? `status was changed to ${there} by hand, but it cannot follow ${here}` : undefined;
}

function isSame(one: FoundTask | undefined, other: FoundTask, name: FieldName): boolean {
  if (one === undefined) return false;
  return name === 'completed' ? isSameTime(one.completed, other.completed) : one[name] === other[name];
}

function shown(task: FoundTask, name: FieldName): string {
  if (name === 'status') return task.status === undefined ? 'nothing' : statusKey(task.status);
  const value = task[name];
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
