/** State project: reads and writes one project of state.json. */
import { isObject, type JsonObject } from '../base/json-value.ts';
import { artifactTypes } from '../contracts/result.ts';
import { artifactPath } from './artifact-links.ts';
import {
  areSameArtifacts,
  type Artifact,
  artifactTypeOf,
  type FoundTask,
  isSameTime,
  singleLine,
  plainValue,
  titleLine,
} from './found-task.ts';
import type { ProjectTask } from './project-task.ts';
import { slugOf } from './slug.ts';
import { readTaskStatus, statusKey } from './task-status.ts';

/** Undefined for a text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\u{feff}') ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  const line = typeof value === 'string' ? plainValue(value) : '';
  return line === '' ? undefined : line;
}

export function statusOf(value: unknown): ProjectTask['status'] | undefined {
  return typeof value === 'string' ? readTaskStatus(value) : undefined;
}

/** The key of each field. */
const keys = {
  title: 'title',
  description: 'description',
  status: 'status',
  language: 'language',
  effort: 'effort',
  priority: 'priority',
  reason: 'reason',
  parent: 'parent_project',
  artifacts: 'artifacts',
  created: 'created',
  updated: 'last_updated',
  completed: 'completed',
} as const;
type FieldName = keyof typeof keys;
const fieldNames = Object.keys(keys) as FieldName[];

/** The task that a project describes. */
export function projectOf(number: number, project: JsonObject): FoundTask {
  const { project_name: name, title, description, artifacts } = project;
  const said = typeof title === 'string' ? singleLine(title) : '';
  const slug = typeof name === 'string' ? singleLine(name) : '';
  const status = statusOf(project['status']);
  const parent = asNumber(project[keys.parent]);
  const found: { -readonly [key in keyof FoundTask]: FoundTask[key] } = {
    number,
    title: titleLine(said || slug.replaceAll('_', ' ')),
  };
  if (said === '') found.isTitleMade = true;
  if (slug !== '') found.slug = slugName.test(slug) ? slug : slugOf(slug);
  if (status !== undefined) found.status = status;
  if (parent !== undefined) found.parent = parent;
  if (typeof description === 'string' && singleLine(description) !== '') found.description = singleLine(description);
  if (Array.isArray(artifacts)) found.artifacts = artifacts.flatMap(artifactOf);
  for (const field of textFields) {
    const value = asText(project[keys[field]]);
    if (value !== undefined) found[field] = value;
  }
  return found;
}

const textFields = ['language', 'effort', 'priority', 'reason', 'created', 'updated', 'completed'] as const;
/** Kept as is: the folder already has this name. */
const slugName = /^[\w-]{1,100}$/;

/** `path` or `{ type, path }`; ignores paths that lead out of the project. */
function artifactOf(value: unknown): Artifact[] {
  const written = isObject(value) ? value['path'] : value;
  const path = typeof written === 'string' ? artifactPath(written) : undefined;
  if (path === undefined) return [];
  const said = isObject(value) ? value['type'] : undefined;
  return [{ type: artifactTypes.find((type) => type === said) ?? artifactTypeOf(path), path }];
}

/** The members to change so that the project matches the task; undefined for members to remove. */
export function projectMembers(task: FoundTask, project: JsonObject): Map<string, unknown> {
  const found = projectOf(task.number, project);
  const members = new Map<string, unknown>();
  if (project['project_number'] === undefined) members.set('project_number', task.number);
  if (found.slug === undefined) members.set('project_name', slugOf(task.title));
  for (const name of fieldNames) {
    if (isSame(found, task, name) && project[keys[name]] !== undefined && !(name === 'title' && found.isTitleMade))
      continue;
    const value = written(task, name, project);
    if (value !== undefined || project[keys[name]] !== undefined) members.set(keys[name], value);
  }
  return members;
}

function isSame(found: FoundTask, task: FoundTask, name: FieldName): boolean {
  if (name === 'artifacts') return areSameArtifacts(found.artifacts, task.artifacts);
  if (name === 'created' || name === 'updated' || name === 'completed') return isSameTime(found[name], task[name]);
  return found[name] === task[name];
}

function written(task: FoundTask, name: FieldName, project: JsonObject): unknown {
  if (name === 'status') return task.status === undefined ? undefined : statusKey(task.status);
  if (name === 'artifacts') return writtenArtifacts(task.artifacts ?? [], project['artifacts']);
  return task[name];
}

/** Keeps the other members of an artifact. */
export function writtenArtifacts(artifacts: readonly Artifact[], before: unknown): JsonObject[] {
  const known = new Map<unknown, JsonObject>(
    (Array.isArray(before) ? before.filter(isObject) : []).map((one) => [one['path'], one]),
  );
  return artifacts.map(({ type, path }) => ({ ...known.get(path), type, path }));
}
