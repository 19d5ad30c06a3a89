/** Names and reads the folders of backlog tasks, `<specs>/<n>_<slug>`, and the state.json inside. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectTask } from '../todo/project-task.ts';
import { editProjectState, readProjectState } from '../todo/project-state-file.ts';
import { slugOf, taskFolder } from '../todo/slug.ts';
import { locate } from '../workspace/project-path.ts';
import { readTaskFile, type TaskFile, type TaskFiles, writeTaskFile } from './task-files.ts';

/** By number. A folder keeps its name when the title changes; of several with one number, the first by name counts. */
async function taskFolders(project: string, { specs }: TaskFiles): Promise<Map<number, string>> {
  const place = await locate(project, specs);
  if (place.found !== 'inside' || place.isFile) return new Map();
  const found = new Map<number, string>();
  for (const entry of (await readdir(place.path, { withFileTypes: true })).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const [, number] = /^(\d{1,9})_/.exec(entry.name) ?? [];
    if (number === undefined || !entry.isDirectory() || found.has(Number(number))) continue;
    found.set(Number(number), join(specs, entry.name));
  }
  return found;
}

/** Existing or future folder of a task, relative to the project. */
export async function folderOfTask(project: string, files: TaskFiles, task: ProjectTask): Promise<string> {
  const folders = await taskFolders(project, files);
  return folders.get(task.number) ?? join(files.specs, taskFolder(task.number, slugOf(task.title)));
}

/** The state.json in a task's folder. */
export interface FolderState {
  readonly number: number;
  readonly path: string;
  readonly file: TaskFile | null;
  readonly language: string | undefined;
}

export async function readFolderStates(
  project: string,
  files: TaskFiles,
  numbers: readonly number[],
): Promise<FolderState[]> {
  if (numbers.length === 0) return [];
  const folders = await taskFolders(project, files);
  const found: FolderState[] = [];
  for (const number of numbers) {
    const folder = folders.get(number);
    if (folder === undefined) continue;
    const path = join(folder, 'state.json');
    const file = await readTaskFile(project, path);
    found.push({ number, path, file, language: readProjectState(file?.text ?? '').language });
  }
  return found;
}

/** Skips the write when another process writes at the same moment; the next change of the task repeats it. */
export async function writeFolderState(project: string, { path, file }: FolderState, task: ProjectTask): Promise<void> {
  const text = editProjectState(file?.text ?? '', task);
  if (text !== file?.text) await writeTaskFile(project, path, text, file?.hash ?? null);
}
