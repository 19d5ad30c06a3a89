/** `divisi task …`: the backlog tasks of a project, one function for each command. */
import { divisiError } from '../../base/error.ts';
import { oneLine } from '../../base/text.ts';
import type { ProjectTask } from '../../todo/project-task.ts';
import { readTaskStatus, type TaskStatus, taskStatuses } from '../../todo/task-status.ts';
import { columns } from '../../views/text/columns.ts';
import { type Answer, exitCodes } from '../output.ts';
import { taskNumber } from '../../commands/command-request.ts';
import { withTasks, withTasksReadOnly } from './with-tasks.ts';

export interface AddOptions {
  readonly json?: boolean;
  readonly description?: string;
  readonly language?: string;
  readonly effort?: string;
  readonly priority?: string;
}

export interface ListOptions {
  readonly json?: boolean;
  readonly status?: string;
  readonly all?: boolean;
}

export interface ReasonOptions {
  readonly json?: boolean;
  readonly reason?: string;
}

const person = { by: 'person' } as const;

export async function taskAdd(project: string, words: string, options: AddOptions): Promise<Answer> {
  const { language, effort, priority, description } = options;
  const draft = {
    title: titleOf(words),
    ...said('description', description?.trim()),
    ...said('language', language && oneLine(language, 100).toLowerCase()),
    ...said('effort', effort && oneLine(effort, 100)),
    ...said('priority', priority && oneLine(priority, 100)),
  };
  return withTasks(project, ({ ledger, files }) => {
    const task = ledger.taskList.add(draft, person);
    return answered({ task, file: files.todo }, `${lineOf(task)}\nadded to ${files.todo}`);
  });
}

export async function listTasks(project: string, { status: word, all = false }: ListOptions): Promise<Answer> {
  const status = word === undefined ? undefined : statusOf(word);
  return withTasksReadOnly(project, ({ ledger: { taskList } }) => {
    const tasks = taskList.tasks({ status, archived: all });
    const rows = tasks.map(({ number, status, language, title }) => [
      String(number),
      taskList.isArchived(number) ? `${status}, put away` : status,
      language,
      oneLine(title, 100),
    ]);
    const none = status === undefined ? 'no tasks; `divisi task add "…"` makes one' : `no task is ${status}`;
    return answered({ tasks }, tasks.length === 0 ? none : columns(rows).join('\n'));
  });
}

export async function taskBlock(project: string, number: string, { reason }: ReasonOptions): Promise<Answer> {
  return changed(project, number, 'blocked', reason);
}

export async function taskAbandon(project: string, number: string, { reason }: ReasonOptions): Promise<Answer> {
  return changed(project, number, 'abandoned', reason);
}

export async function taskExpand(project: string, word: string, titles: readonly string[]): Promise<Answer> {
  const number = taskNumber(word);
  const names = titles.map(titleOf);
  return withTasks(project, ({ ledger, find }) => {
    const whole = find(number);
    // All of it or nothing: parts of a task that was not divided would be found by nobody.
    const { task, parts } = ledger.atomically(() => {
      const { language, priority } = whole;
      const drafts = names.map((title) => ({ title, language, parent: number, ...said('priority', priority) }));
      const added = drafts.map((draft) => ledger.taskList.add(draft, person));
      const reason = `into ${added.map((part) => part.number).join(', ')}`;
      return { task: ledger.taskList.change(number, { status: 'expanded', reason }, person), parts: added };
    });
    const text = [lineOf(task), ...parts.map((part) => `  ${lineOf(part)}`)].join('\n');
    return answered({ task, parts }, text);
  });
}

async function changed(project: string, word: string, status: TaskStatus, reason?: string): Promise<Answer> {
  const number = taskNumber(word);
  return withTasks(project, ({ ledger, find }) => {
    find(number);
    const changes = { status, ...said('reason', reason && oneLine(reason, 1000)) };
    const task = ledger.taskList.change(number, changes, person);
    return answered({ task }, lineOf(task));
  });
}

/** A line for people. */
export function lineOf({ number, title, status, reason }: ProjectTask): string {
  const why = reason === undefined ? '' : `: ${oneLine(reason, 200)}`;
  return `${number}. ${oneLine(title, 100)} (${status}${why})`;
}

function answered(json: unknown, text: string): Answer {
  return { code: exitCodes.completed, json, text };
}

function said<Name extends string>(name: Name, value: string | undefined): { [name in Name]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [name in Name]?: string });
}

function titleOf(words: string): string {
  const title = oneLine(words, 200);
  if (title !== '') return title;
  throw divisiError('USAGE', { message: 'a task needs a title', next: 'Say it in a few words: divisi task add "…".' });
}

function statusOf(word: string): TaskStatus {
  const status = readTaskStatus(word);
  if (status !== undefined) return status;
  throw divisiError('USAGE', {
    message: `no task is ever ${JSON.stringify(word)}`,
    expected: taskStatuses.join(', '),
    got: word,
    next: 'docs/tasks.md says what each of them means.',
  });
}
