/** EditBacklog: adds, lists, changes, expands and archives backlog tasks, for every front door. */
import { divisiError } from '../../base/error.ts';
import { oneLine, unquoted } from '../../base/text.ts';
import type { ProjectTask } from '../../todo/project-task.ts';
import { readTaskStatus, type TaskStatus, taskStatuses } from '../../todo/task-status.ts';
import { archiveTasks, archivableTasks } from '../archive-tasks.ts';
import { type BacklogDeps, withTasks, withTasksReadOnly, withTasksRehearsed } from './with-tasks.ts';

export interface NewTask {
  readonly title: string;
  readonly description?: string;
  readonly language?: string;
  readonly effort?: string;
  readonly priority?: string;
}

const person = { by: 'person' } as const;

/** `file` is TODO.md. */
export async function addBacklogTask(deps: BacklogDeps, task: NewTask): Promise<{ task: ProjectTask; file: string }> {
  const { language, effort, priority, description } = task;
  const draft = {
    title: titleOf(task.title),
    ...given('description', description?.trim()),
    ...given('language', language && oneLine(language, 100).toLowerCase()),
    ...given('effort', effort && oneLine(effort, 100)),
    ...given('priority', priority && oneLine(priority, 100)),
  };
  return withTasks(deps, ({ ledger, files }) => ({ task: ledger.taskList.add(draft, person), file: files.todo }));
}

export interface TaskQuery {
  readonly status?: string;
  /** Includes archived tasks. */
  readonly all?: boolean;
}

export interface TaskRows {
  readonly tasks: readonly ProjectTask[];
  readonly isArchived: (task: ProjectTask) => boolean;
}

export async function listTasks(deps: BacklogDeps, { status: word, all = false }: TaskQuery): Promise<TaskRows> {
  const status = word === undefined ? undefined : statusOf(word);
  return withTasksReadOnly(deps, ({ ledger: { taskList } }) => {
    const tasks = taskList.tasks({ status, archived: all });
    const archived = new Set(tasks.flatMap(({ number }) => (taskList.isArchived(number) ? [number] : [])));
    return { tasks, isArchived: ({ number }) => archived.has(number) };
  });
}

export async function showTask(deps: BacklogDeps, number: number): Promise<ProjectTask> {
  return withTasksReadOnly(deps, ({ find }) => find(number));
}

export async function changeStatus(
  deps: BacklogDeps,
  number: number,
  status: TaskStatus,
  reason?: string,
): Promise<ProjectTask> {
  return withTasks(deps, ({ ledger, find }) => {
    find(number);
    const changes = { status, ...given('reason', reason && oneLine(reason, 1000)) };
    return ledger.taskList.change(number, changes, person);
  });
}

export interface ExpandedTask {
  readonly task: ProjectTask;
  readonly parts: readonly ProjectTask[];
}

export async function expandTask(deps: BacklogDeps, number: number, titles: readonly string[]): Promise<ExpandedTask> {
  const names = titles.map(titleOf);
  return withTasks(deps, ({ ledger, find }) => {
    const { language, priority } = find(number);
    // In one transaction: parts of a task that was not expanded would be orphans.
    return ledger.atomically(() => {
      const drafts = names.map((title) => ({ title, language, parent: number, ...given('priority', priority) }));
      const parts = drafts.map((draft) => ledger.taskList.add(draft, person));
      const reason = `into ${parts.map((part) => part.number).join(', ')}`;
      return { task: ledger.taskList.change(number, { status: 'expanded', reason }, person), parts };
    });
  });
}

/** `file` is the archive. */
export async function archiveFinished(
  deps: BacklogDeps,
  dryRun = false,
): Promise<{ tasks: readonly ProjectTask[]; file: string }> {
  const within = dryRun ? withTasksRehearsed : withTasks;
  return within(deps, async ({ ledger, files }) => {
    const tasks = archivableTasks(ledger);
    if (!dryRun) await archiveTasks(deps.project, ledger, files, tasks);
    return { tasks, file: files.archive };
  });
}

function given<Name extends string>(name: Name, value: string | undefined): { [name in Name]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [name in Name]?: string });
}

function titleOf(words: string): string {
  const title = oneLine(unquoted(words), 200);
  if (title !== '') return title;
  throw divisiError('USAGE', { message: 'a task needs a title', next: 'Say it in a few words: divisi task add "…".' });
}

function statusOf(word: string): TaskStatus {
  const status = readTaskStatus(word);
  if (status !== undefined) return status;
  throw divisiError('USAGE', {
    message: `unknown status ${JSON.stringify(word)}`,
    expected: taskStatuses.join(', '),
    got: word,
    next: 'Use one of these; docs/tasks.md lists which may follow which.',
  });
}
