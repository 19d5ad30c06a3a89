/** `divisi todo`: archives completed, abandoned and expanded tasks. */
import { archiveFinished } from '../../commands/backlog/edit-backlog.ts';
import { counted } from '../../views/text/quantity.ts';
import { type Answer, exitCodes, warn } from '../output.ts';
import { taskText } from './task.ts';

export interface TodoOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

export async function todo(project: string, { dryRun = false }: TodoOptions): Promise<Answer> {
  const { tasks, file } = await archiveFinished({ project, warn }, dryRun);
  const archived = tasks.map(({ number, title, status }) => ({ number, title, status }));
  const json = { dryRun, archived, file };
  return { code: exitCodes.completed, json, text: textOf(tasks.map(taskText), file, dryRun) };
}

function textOf(lines: readonly string[], file: string, dryRun: boolean): string {
  if (lines.length === 0) return 'no task to archive';
  const end = `${counted(lines.length, 'task')} ${dryRun ? 'would be archived' : 'archived'} in ${file}`;
  return [...lines, end].join('\n');
}
