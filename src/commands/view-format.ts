/** ViewFormat: one interface to TODO.md and state.json: read, and edit outdated entries. */
import { posix } from 'node:path';
import type { ViewName } from '../ledger/task-list/task-views.ts';
import type { FoundTask, TodoFault } from '../todo/found-task.ts';
import { editState, isStateFile, readState } from '../todo/state-file.ts';
import { editTodo, readTodo } from '../todo/todo-file.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import { unusable } from './task-files.ts';

export interface ViewReading {
  readonly entries: ReadonlyMap<number, FoundTask>;
  readonly faults: readonly TodoFault[];
  /** Number of the next task, where the file has it. */
  readonly next?: number | undefined;
}

export interface ViewChanges {
  readonly put: readonly ProjectTask[];
  readonly remove: readonly number[];
  readonly next: number;
}

export interface ViewFormat {
  readonly name: ViewName;
  /** Throws TASK_FILES_UNUSABLE for another format. */
  read(text: string, path: string): ViewReading;
  edit(text: string, changes: ViewChanges, path: string): string;
}

/** Folder that links in the file are relative to; artifact paths are relative to the project. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

const todo: ViewFormat = {
  name: 'todo',
  read: (text, path) => readTodo(text, folderOf(path)),
  edit: (text, changes, path) => editTodo(text, changes, folderOf(path)),
};

const state: ViewFormat = {
  name: 'state',
  read(text, path) {
    if (text.trim() !== '' && !isStateFile(text)) {
      throw unusable(path, 'is not the state.json of backlog tasks: it has no active_projects, or is not JSON');
    }
    return readState(text);
  },
  edit: editState,
};

export const viewFormats: Readonly<Record<ViewName, ViewFormat>> = { todo, state };
