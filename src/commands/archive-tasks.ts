/** Archives finished backlog tasks: moves their entries from both files to archive/TODO.md. The tasks stay in the task list. */
import type { Ledger } from '../ledger/ledger.ts';
import { editTodo } from '../todo/todo-file.ts';
import { entryTexts } from '../todo/entry-texts.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import { endStatuses } from '../todo/task-status.ts';
import { readTaskFile, type TaskFiles, unusable, writeTaskFile } from './task-files.ts';
import { folderOf } from './view-format.ts';

/** Tasks that `divisi todo` archives. */
export function archivableTasks({ taskList }: Ledger): ProjectTask[] {
  return endStatuses
    .flatMap((status) => taskList.tasks({ status }))
    .toSorted((one, other) => one.number - other.number);
}

const mostRounds = 20;

/**
 * Writes the entries to the archive before it archives the tasks in the task list: after a crash in between, an entry
 * is in both files and the next call replaces it. The next sync updates the views.
 */
export async function archiveTasks(
  project: string,
  ledger: Ledger,
  files: TaskFiles,
  tasks: readonly ProjectTask[],
): Promise<number[]> {
  if (tasks.length === 0) return [];
  const entries = entryTexts((await readTaskFile(project, files.todo))?.text ?? '');
  for (let round = 1; !(await addEntries(project, files.archive, entries, tasks)); round += 1) {
    if (round === mostRounds) throw unusable(files.archive, 'keeps being written by another process');
  }
  return ledger.taskList.archive(
    tasks.map(({ number }) => number),
    { by: 'person' },
  );
}

/** False when another process wrote the file meanwhile. */
async function addEntries(
  project: string,
  path: string,
  entries: ReadonlyMap<number, string>,
  tasks: readonly ProjectTask[],
): Promise<boolean> {
  const archive = await readTaskFile(project, path);
  const text = withEntries(archive?.text ?? '# Archive\n\n## Tasks\n', entries, tasks, folderOf(path));
  return text === archive?.text || (await writeTaskFile(project, path, text, archive?.hash ?? null));
}

/** Keeps only the newest entry of a task that was archived, reopened and finished again. */
function withEntries(
  archive: string,
  entries: ReadonlyMap<number, string>,
  tasks: readonly ProjectTask[],
  folder: string,
): string {
  const numbers = tasks.map(({ number }) => number);
  let text = editTodo(archive, { put: [], remove: numbers }, folder);
  for (const number of numbers) {
    const entry = entries.get(number)?.trim();
    // Drops the rule that separated it from the next entry.
    const own = entry?.endsWith('\n---') ? entry.slice(0, -4).trimEnd() : entry;
    if (own !== undefined) text = `${text.trimEnd()}\n\n${own}\n`;
  }
  return editTodo(text, { put: tasks, remove: [] }, folder);
}
