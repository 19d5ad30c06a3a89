/** Imports tasks from the files that the task list does not have, with their status. */
import { defined } from '../base/defined.ts';
import { redact } from '../base/redact.ts';
import type { ViewName } from '../ledger/task-list/task-views.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NewBacklogTask } from '../ledger/task-list/task-list.ts';
import { whatPersonChanged } from '../todo/compare-task.ts';
import type { FoundTask } from '../todo/found-task.ts';
import type { ProjectTask } from '../todo/project-task.ts';
import type { EditedView, AppliedEdits } from './edited-view.ts';

type Sides = { readonly [name in ViewName]?: FoundTask };

/** Returns, for each file, the imported tasks it already matches; these need no write. */
export function importTasks(
  { taskList }: Ledger,
  edited: readonly EditedView[],
  all: AppliedEdits,
): (name: ViewName) => number[] {
  const unknown = new Map<number, Sides>();
  for (const { name, reading } of edited) {
    for (const [number, found] of reading.entries) {
      if (taskList.task(number) === null) unknown.set(number, { ...unknown.get(number), [name]: found });
    }
  }
  const inStep: Record<ViewName, number[]> = { todo: [], state: [] };
  for (const [number, sides] of [...unknown].toSorted(([one], [other]) => one - other)) {
    const task = taskList.add(draftOf(number, sides), { by: 'file' });
    all.imported.push(number);
    for (const { name, path } of edited) {
      const found = sides[name];
      if (found === undefined) continue;
      const { conflicts } = whatPersonChanged(undefined, contradicting(found, task), task);
      if (conflicts.length === 0) inStep[name].push(number);
      for (const what of conflicts.map((conflict) => redact(conflict).text)) {
        taskList.conflict(number, { view: path, what });
        all.conflicts.push({ number, file: path, what });
      }
    }
  }
  return (name) => inStep[name];
}

/** Ignores artifacts and times that only one file has, and differences in case. */
function contradicting(
  { artifacts: _artifacts, completed: _completed, ...said }: FoundTask,
  task: ProjectTask,
): FoundTask {
  const [found, ours]: Record<string, unknown>[] = [said, task];
  const same = Object.keys(said).filter((key) => isSameWord(found?.[key], ours?.[key]));
  return { ...said, ...Object.fromEntries(same.map((key) => [key, ours?.[key]])) };
}

function isSameWord(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();
}

/** Takes text from TODO.md, which people write, and status and language from state.json, which programs write. */
function draftOf(number: number, { todo, state }: Sides): NewBacklogTask {
  const { slug: _slug, isTitleMade: _made, ...words } = { title: '', ...state, ...todo };
  const { status = words.status, language = words.language, completed = words.completed } = state ?? {};
  return {
    ...words,
    ...defined({ status, language, completed }),
    artifacts: artifactsOf(todo?.artifacts, state?.artifacts),
    number,
  };
}

function artifactsOf(
  some: FoundTask['artifacts'] = [],
  others: FoundTask['artifacts'] = [],
): NonNullable<FoundTask['artifacts']> {
  const seen = new Set(some.map(({ path }) => path));
  return [...some, ...others.filter(({ path }) => !seen.has(path))];
}
