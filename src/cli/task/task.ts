/** `divisi task …`: lists, adds and changes backlog tasks. */
import { defined } from '../../base/defined.ts';
import { oneLine } from '../../base/text.ts';
import type { ProjectTask } from '../../todo/project-task.ts';
import type { TaskStatus } from '../../todo/task-status.ts';
import { columns } from '../../views/text/columns.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { taskNumber } from '../../commands/command-request.ts';
import { addBacklogTask, changeStatus, expandTask, listTasks } from '../../commands/backlog/edit-backlog.ts';

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

export async function taskAdd(project: string, title: string, options: AddOptions): Promise<Answer> {
  const { json: _, ...more } = options;
  const { task, file } = await addBacklogTask({ project, warn }, { title, ...more });
  return answered({ task, file }, `${taskText(task)}\nadded to ${file}`);
}

export async function taskList(project: string, { status, all }: ListOptions): Promise<Answer> {
  const { tasks, isArchived } = await listTasks({ project, warn }, defined({ status, all }));
  const rows = tasks.map((task) => [
    String(task.number),
    isArchived(task) ? `${task.status}, archived` : task.status,
    task.language,
    oneLine(task.title, 100),
  ]);
  const none = status === undefined ? 'no tasks; add one with `divisi task add "…"`' : `no task is ${status}`;
  return answered({ tasks }, tasks.length === 0 ? none : columns(rows).join('\n'));
}

export async function taskBlock(project: string, number: string, { reason }: ReasonOptions): Promise<Answer> {
  return changed(project, number, 'blocked', reason);
}

export async function taskAbandon(project: string, number: string, { reason }: ReasonOptions): Promise<Answer> {
  return changed(project, number, 'abandoned', reason);
}

export async function taskExpand(project: string, word: string, titles: readonly string[]): Promise<Answer> {
  const { task, parts } = await expandTask({ project, warn }, taskNumber(word), titles);
  const text = [taskText(task), ...parts.map((part) => `  ${taskText(part)}`)].join('\n');
  return answered({ task, parts }, text);
}

async function changed(project: string, word: string, status: TaskStatus, reason?: string): Promise<Answer> {
  const task = await changeStatus({ project, warn }, taskNumber(word), status, reason);
  return answered({ task }, taskText(task));
}

/** A line for people. */
export function taskText({ number, title, status, reason }: ProjectTask): string {
  const why = reason === undefined ? '' : `: ${oneLine(reason, 200)}`;
  return `${number}. ${oneLine(title, 100)} (${status}${why})`;
}

function answered(json: unknown, text: string): Answer {
  return { code: exitCodes.completed, json, text };
}
