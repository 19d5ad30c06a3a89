/** Writes the outdated entries of one file from the task list, and touches nothing else. */
import type { WrittenEntry, ViewName } from '../ledger/task-list/task-views.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { hashText } from '../workspace/hash-text.ts';
import { type TaskFile, type TaskFiles, writeTaskFile } from './task-files.ts';
import { viewFormats } from './view-format.ts';

export interface WriteViewInput {
  readonly project: string;
  readonly files: TaskFiles;
  readonly name: ViewName;
  /** As read; null for a missing file. */
  readonly file: TaskFile | null;
}

/** `changed`: another process wrote the file meanwhile; read it again. */
export type WriteViewResult = 'written' | 'up to date' | 'changed';

export async function writeView(
  ledger: Ledger,
  { project, files, name, file }: WriteViewInput,
): Promise<WriteViewResult> {
  const { taskList } = ledger;
  const format = viewFormats[name];
  const path = files[name];
  const behind = taskList.behind(name);
  const put = behind.filter(({ isArchived }) => !isArchived).map(({ task }) => task);
  const remove = behind.filter(({ isArchived }) => isArchived).map(({ task }) => task.number);
  if (behind.length === 0 || (file === null && put.length === 0)) return 'up to date';

  const was = file?.text ?? '';
  const text = format.edit(was, { put, remove, next: taskList.next() }, path);
  const { entries } = format.read(text, path);
  const tasks = behind.map(({ task, seq }) => ({
    number: task.number,
    seq,
    entry: (entries.get(task.number) ?? null) as WrittenEntry | null,
  }));
  taskList.beginWriting(name, { path, hash: hashText(text), was: file?.hash ?? null, tasks });
  if (text !== was && !(await writeTaskFile(project, path, text, file?.hash ?? null))) {
    taskList.undoWriting(name);
    return 'changed';
  }
  taskList.endWriting(name);
  return text === was ? 'up to date' : 'written';
}
