/** Archives finished backlog tasks: moves their entries from both files to archive/TODO.md. The tasks stay in the task list. */
import type { Ledger } from '../ledger/ledger.ts';
import { editTodo } from '../todo/todo-file.ts';
import { entryTexts } from '../todo/entry-texts.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import { endStatuses } from '../todo/task-status.ts';
import { readTaskFile, type TaskFiles, unusable, writeTaskFile } from './task-files.ts';
import { folderOf } from './view-format.ts';

/** Tasks that `divisi todo` archives. */
export function tasksThatAreOver({ taskList }: Ledger): ProjectTask[] {
  return endStatuses
    .flatMap((status) => taskList.tasks({ status }))
    .toSorted((one, other) => one.number - other.number);
}

const mostRounds = 20;

/**
 * First the entries go into the file, then the tasks are put away in the task list: whoever dies in between has an entry in both files, and
 * the next one replaces it. The views follow when they are next brought in step.
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

/** Of a task that was put away before, opened again and finished again, only the newest entry stays. */
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
    // The rule that stood between it and the next one.
    const own = entry?.endsWith('\n---') ? entry.slice(0, -4).trimEnd() : entry;
    if (own !== undefined) text = `${text.trimEnd()}\n\n${own}\n`;
  }
  return editTodo(text, { put: tasks, remove: [] }, folder);
}
