/** Entry values: formats the values of a task for an entry of TODO.md. */
import { linksOf } from './artifact-links.ts';
import { type FieldName, fieldNames, isArtifact, isTime, labelOf } from './entry-field.ts';
import { areSameArtifacts, type Artifact, type FoundTask, isSameTime } from './found-task.ts';
import { statusMark } from './task-status.ts';

/** The style of the file, and its folder in the project. */
export interface FileStyle {
  readonly eol: string;
  readonly folder: string;
}

/** A field to write. */
export interface FieldValue {
  readonly name: FieldName;
  readonly value: string;
}

/** The text after the label; undefined if there is none. */
export function valueFor(task: FoundTask, name: FieldName, folder: string): string | undefined {
  if (name === 'status') return task.status === undefined ? undefined : statusMark(task.status);
  if (name === 'parent') return task.parent?.toString();
  if (isTime(name)) return task[name]?.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');
  if (!isArtifact(name)) return task[name];
  const paths = ofType(task, name).map(({ path }) => path);
  return paths.length === 0 ? undefined : linksOf(paths, folder).join(', ');
}

export function ofType(task: FoundTask, name: FieldName): readonly Artifact[] {
  return task.artifacts?.filter(({ type }) => type === name) ?? [];
}

export function saysSame(found: FoundTask, task: FoundTask, name: FieldName): boolean {
  if (isArtifact(name)) return areSameArtifacts(ofType(found, name), ofType(task, name));
  return isTime(name) ? isSameTime(found[name], task[name]) : found[name] === task[name];
}

/** All fields of a task with a value, in the fixed order. */
export function allFieldValues(task: FoundTask, folder: string): FieldValue[] {
  return fieldNames.flatMap((name) => {
    const value = valueFor(task, name, folder);
    return value === undefined ? [] : [{ name, value }];
  });
}

/** A description is a paragraph of its own. */
export function entryLines(said: readonly FieldValue[], isBelowField: boolean): string[] {
  return said.flatMap(({ name, value }, index) => {
    const line = `**${labelOf(name)}**: ${value}`;
    if (name !== 'description') return [`- ${line}`];
    return index > 0 || isBelowField ? ['', line] : [line];
  });
}
