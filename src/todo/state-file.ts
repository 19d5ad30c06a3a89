/** State file: reads backlog tasks from state.json, and edits those that changed. Keeps everything Divisi does not know. */
import { isObject, type JsonObject, objectOf } from '../base/json-value.ts';
import { defined } from '../base/defined.ts';
import { foundOf, type FoundTask, type TodoFault, type TodoReading } from './found-task.ts';
import { itemSplices, memberSplices } from './json-edit.ts';
import { itemsOf, membersOf, type JsonPlace, rootPlace } from './json-places.ts';
import type { ProjectTask } from './project-task.ts';
import { type Splice, spliced } from './splice.ts';
import { asNumber, parsedJson, projectMembers, projectOf, statusOf } from './state-project.ts';

export interface StateReading extends TodoReading {
  /** The number of the next new task; undefined if the file does not have it. */
  readonly next?: number;
}

export interface StateChanges {
  readonly put: readonly ProjectTask[];
  readonly remove: readonly number[];
  readonly next: number;
}

/** True for JSON of this layout. */
export function isStateFile(text: string): boolean {
  return isState(parsedJson(text));
}

function isState(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const { active_projects: projects, next_project_number: next } = value;
  return Array.isArray(projects) || (projects === undefined && asNumber(next) !== undefined);
}

/** An empty file has no tasks and no fault. */
export function readState(text: string): StateReading {
  const entries = new Map<number, FoundTask>();
  if (text.trim() === '') return { entries, faults: [] };
  const state = parsedJson(text);
  if (state === undefined) return { entries, faults: [{ message: 'not valid JSON' }] };
  if (!isObject(state)) return { entries, faults: [{ message: 'not a JSON object' }] };
  const faults: TodoFault[] = [];
  const next = asNumber(state['next_project_number']);
  const projects = state['active_projects'] ?? [];
  if (Array.isArray(projects))
    for (const [index, project] of projects.entries()) addProject(entries, faults, project, index);
  else faults.push({ message: 'active_projects is not a list' });
  return { entries, faults, ...defined({ next }) };
}

function addProject(entries: Map<number, FoundTask>, faults: TodoFault[], project: unknown, index: number): void {
  const number = isObject(project) ? asNumber(project['project_number']) : undefined;
  if (!isObject(project) || number === undefined) {
    faults.push({ message: `active_projects[${index}] has no project_number` });
  } else if (entries.has(number)) {
    faults.push({ number, message: `project number ${number} is used twice; only the first one is read` });
  } else {
    entries.set(number, projectOf(number, project));
    const { status } = project;
    if (status !== undefined && status !== null && statusOf(status) === undefined)
      faults.push({ number, message: `unknown status ${(JSON.stringify(status) ?? '').slice(0, 60)}` });
  }
}

/** Replaces only members that changed, and appends new ones. Requires a text that passes `isStateFile`, or an empty one. */
export function editState(text: string, changes: StateChanges): string {
  if (text.trim() === '') return editState(emptyState, changes);
  const { put, remove, next } = changes;
  const root = rootPlace(text);
  if (text[root.at] !== '{') throw new Error('not a state file');
  const members = [...membersOf(text, root)];
  const array = members.findLast(({ key, value }) => key === 'active_projects' && text[value.at] === '[')?.value;
  const items = array === undefined ? [] : [...itemsOf(text, array)];
  const gone = new Set(remove);
  const wanted = new Map(put.filter(({ number }) => !gone.has(number)).map((task) => [task.number, foundOf(task)]));
  const places = located(text, items, new Set([...gone, ...wanted.keys()]));
  const splices: Splice[] = [];
  const added: JsonObject[] = [];
  for (const [number, task] of wanted) {
    const place = places.get(number);
    if (place === undefined) added.push(Object.fromEntries(projectMembers(task, {})));
    else splices.push(...memberSplices(text, place, projectMembers(task, objectAt(text, place))));
  }
  const removed = new Set(remove.flatMap((number) => places.get(number) ?? []));
  if (array !== undefined) splices.push(...itemSplices(text, array, items, { removed, added }));
  const top = new Map<string, unknown>(array === undefined ? [['active_projects', added]] : []);
  const said = members.findLast(({ key }) => key === 'next_project_number')?.value;
  if (said === undefined || text.slice(said.at, said.end) !== String(next)) top.set('next_project_number', next);
  return spliced(text, [...splices, ...memberSplices(text, root, top, members)]);
}

const emptyState = '{\n  "next_project_number": 1,\n  "active_projects": []\n}\n';

function objectAt(text: string, { at, end }: JsonPlace): JsonObject {
  return objectOf(JSON.parse(text.slice(at, end)));
}

/** The first position of each number, found without reading the rest of the project. */
function located(text: string, items: readonly JsonPlace[], numbers: ReadonlySet<number>): Map<number, JsonPlace> {
  const places = new Map<number, JsonPlace>();
  for (const item of items) {
    if (places.size === numbers.size) break;
    const number = text[item.at] === '{' ? numberAt(text, item) : undefined;
    if (number !== undefined && numbers.has(number) && !places.has(number)) places.set(number, item);
  }
  return places;
}

function numberAt(text: string, item: JsonPlace): number | undefined {
  for (const { key, value } of membersOf(text, item))
    if (key === 'project_number') return asNumber(JSON.parse(text.slice(value.at, value.end)));
  return undefined;
}
