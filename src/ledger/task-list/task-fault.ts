/** The refusals about backlog tasks, each with what to do instead. */
import { divisiError, type DivisiError } from '../../base/error.ts';
import { nextStatuses, type TaskStatus } from '../../todo/task-status.ts';

/** `where` is the file a person would look in. */
export function taskUnknown(number: number, where: string): DivisiError {
  return divisiError('TASK_UNKNOWN', {
    message: `task ${number} is not in ${where}`,
    expected: 'the number of a task',
    got: String(number),
    next: '`divisi task list` shows the numbers, with --all the archived ones too; `divisi task add "…"` adds a task.',
    ids: { number, where },
  });
}

export function taskTransition(number: number, status: TaskStatus, next: TaskStatus): DivisiError {
  const may = nextStatuses(status);
  return divisiError('TASK_TRANSITION', {
    message: `task ${number} is ${status} and cannot become ${next}`,
    expected: may.length === 0 ? `no change after ${status}` : `after ${status}: ${may.join(', ')}`,
    got: next,
    next: `Nothing was changed. \`divisi task show ${number}\` shows its history.`,
    ids: { number, status, next },
  });
}
