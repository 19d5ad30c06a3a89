/** Project state file: reads and writes `<number>_<slug>/state.json`, the state of one backlog task in its own folder. */
import { isObject, type JsonObject } from '../base/json-value.ts';
import { defined } from '../base/defined.ts';
import { areSameArtifacts, foundOf, type TodoFault } from './found-task.ts';
import { memberSplices } from './json-edit.ts';
import { rootPlace } from './json-places.ts';
import type { ProjectTask } from './project-task.ts';
import { spliced } from './splice.ts';
import { parsedJson, projectOf, writtenArtifacts } from './state-project.ts';
import { statusKey } from './task-status.ts';

export interface ProjectState {
  readonly language?: string;
  readonly faults: readonly TodoFault[];
}

export function readProjectState(text: string): ProjectState {
  if (text.trim() === '') return { faults: [] };
  const state = parsedJson(text);
  if (!isObject(state)) return { faults: [{ message: state === undefined ? 'not valid JSON' : 'not a JSON object' }] };
  const { language } = projectOf(1, state);
  return { faults: [], ...defined({ language }) };
}

/** Rewrites a file that is not a JSON object: it holds nothing that is not recorded elsewhere. */
export function editProjectState(text: string, task: ProjectTask): string {
  const state = parsedJson(text);
  if (!isObject(state)) return `${JSON.stringify(Object.fromEntries(changesOf({}, task)), null, 2)}\n`;
  return spliced(text, memberSplices(text, rootPlace(text), changesOf(state, task)));
}

function changesOf(state: JsonObject, task: ProjectTask): Map<string, unknown> {
  const [found, wanted] = [projectOf(task.number, state), foundOf(task)];
  const changes = new Map<string, unknown>();
  if (state['task_number'] !== task.number) changes.set('task_number', task.number);
  if (found.language !== wanted.language) changes.set('language', wanted.language);
  if (found.status !== wanted.status) changes.set('status', statusKey(task.status));
  if (state['artifacts'] === undefined || !areSameArtifacts(found.artifacts, wanted.artifacts))
    changes.set('artifacts', writtenArtifacts(wanted.artifacts ?? [], state['artifacts']));
  return changes;
}
