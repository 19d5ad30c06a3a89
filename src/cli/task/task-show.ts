/** `divisi task show N`: prints a task and its history. */
import { oneLine } from '../../base/text.ts';
import type { RecordedTaskEvent } from '../../ledger/task-list/task-rows.ts';
import type { ProjectTask } from '../../todo/project-task.ts';
import { nextStatuses } from '../../todo/task-status.ts';
import { columns } from '../../views/text/columns.ts';
import { terminalText } from '../../views/text/escape.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { taskText } from './task.ts';
import { taskNumber } from '../../commands/command-request.ts';
import { withTasksReadOnly } from '../../commands/backlog/with-tasks.ts';

export async function taskShow(project: string, word: string): Promise<Answer> {
  const number = taskNumber(word);
  return withTasksReadOnly({ project, warn }, ({ ledger: { taskList }, find }) => {
    const task = find(number);
    const isArchived = taskList.isArchived(number);
    const parts = taskList.tasks({ parent: number, archived: true });
    const history = taskList.history(number);
    const json = { task, archived: isArchived, parts: parts.map((part) => part.number), history };
    const text = [...headOf(task, isArchived), ...partLines(parts), '', ...columns(history.map(eventCells))];
    return { code: exitCodes.completed, json, text: text.join('\n') };
  });
}

function headOf(task: ProjectTask, isArchived: boolean): string[] {
  const { description, language, effort, priority, parent, artifacts } = task;
  const may = nextStatuses(task.status);
  const facts = [
    ['language', language],
    ['effort', effort],
    ['priority', priority],
    ['part of', parent?.toString()],
    ['may become', may.length === 0 ? 'nothing else' : may.join(', ')],
    ...artifacts.map(({ type, path }) => [type, path]),
  ].flatMap(([name, value]) => (value === undefined ? [] : [[`  ${name}`, value]]));
  const about = description === '' ? [] : [terminalText(description), ''];
  return [
    `${taskText(task)}${isArchived ? ', archived' : ''}`,
    '',
    ...about,
    ...columns(facts).map((line) => `  ${line}`),
  ];
}

function partLines(parts: readonly ProjectTask[]): string[] {
  return parts.length === 0 ? [] : ['', ...parts.map((part) => `  ${taskText(part)}`)];
}

function eventCells(event: RecordedTaskEvent): string[] {
  const { at, by, run } = event;
  return [at.slice(0, 19).concat('Z'), run === undefined ? by : oneLine(run, 40), wordsOf(event)];
}

function wordsOf(event: RecordedTaskEvent): string {
  switch (event.kind) {
    case 'task.added':
      return `added, ${event.task.status}`;
    case 'task.changed': {
      const { set, unset, was } = event;
      const fields = [...Object.keys(set), ...unset].filter((key) => !['status', 'updated', 'completed'].includes(key));
      const status = set.status === undefined ? [] : [`${was} → ${set.status}`];
      return [...status, ...fields].join(', ');
    }
    case 'task.archived':
      return 'archived';
    case 'numbers.taken':
      return 'numbers up to this one are taken';
    case 'edit.conflicted':
      return `not applied from ${event.view}: ${oneLine(event.what, 200)}`;
    default:
      return event satisfies never;
  }
}
