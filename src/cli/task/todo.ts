/** `divisi todo`: what is completed, abandoned or expanded leaves TODO.md and state.json. */
import { archiveTasks, tasksThatAreOver } from '../../commands/archive-tasks.ts';
import { counted } from '../../views/text/quantity.ts';
import { type Answer, exitCodes } from '../output.ts';
import { lineOf } from './task.ts';
import { withTasks } from './with-tasks.ts';

export interface TodoOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

export async function todo(project: string, { dryRun = false }: TodoOptions): Promise<Answer> {
  return withTasks(project, async ({ ledger, files }) => {
    const over = tasksThatAreOver(ledger);
    if (!dryRun) await archiveTasks(project, ledger, files, over);
    const archived = over.map(({ number, title, status }) => ({ number, title, status }));
    const json = { dryRun, archived, file: files.archive };
    return { code: exitCodes.completed, json, text: textOf(over.map(lineOf), files.archive, dryRun) };
  });
}

function textOf(lines: readonly string[], file: string, dryRun: boolean): string {
  if (lines.length === 0) return 'nothing is over: all tasks stay';
  const end = `${counted(lines.length, 'task')} ${dryRun ? 'would be put away' : 'put away'}, into ${file}`;
  return [...lines, end].join('\n');
}
