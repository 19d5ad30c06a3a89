/** What the commands about backlog tasks share: the two files in step before and after, and a word about what people wrote into them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { syncViews, type SyncReport } from '../../commands/sync-views.ts';
import { findTaskFiles, type TaskFiles } from '../../commands/task-files.ts';
import { taskUnknown } from '../../ledger/task-list/task-fault.ts';
import { inMemory } from '../../ledger/connection.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { ledgerFile, withLedger } from '../../project/project-ledger.ts';
import { loadConfig } from '../../project/project-folder.ts';
import type { ProjectTask } from '../../todo/project-task.ts';
import { counted } from '../../views/text/quantity.ts';
import { outsideOfDelegations } from './outside-of-delegations.ts';
import { warn } from '../output.ts';

export interface Tasks {
  readonly ledger: Ledger;
  readonly files: TaskFiles;
  /** TASK_UNKNOWN names the file that a person would look in. */
  readonly find: (number: number) => ProjectTask;
}

export async function withTasks<T>(found: string, work: (tasks: Tasks) => Promise<T> | T): Promise<T> {
  const project = outsideOfDelegations(found);
  return withLedger(project, async (ledger) => inStep(project, ledger, work));
}

/** For looking: where there is neither a ledger nor a file, none is made. */
export async function withTasksToLookAt<T>(found: string, work: (tasks: Tasks) => Promise<T> | T): Promise<T> {
  const project = outsideOfDelegations(found);
  const { todo, state } = await findTaskFiles(project, (await loadConfig(project)).specs);
  const places = [ledgerFile(project), join(project, todo), join(project, state)];
  if (places.some((place) => existsSync(place))) return withTasks(project, work);
  const ledger = openLedger(inMemory);
  try {
    return await inStep(project, ledger, work);
  } finally {
    ledger.close();
  }
}

async function inStep<T>(project: string, ledger: Ledger, work: (tasks: Tasks) => Promise<T> | T): Promise<T> {
  const { files } = told(await syncViews(project, ledger, warn));
  const find = (number: number): ProjectTask => {
    const task = ledger.taskList.task(number);
    if (task === null) throw taskUnknown(number, files.todo);
    return task;
  };
  const answer = await work({ ledger, files, find });
  told(await syncViews(project, ledger, warn));
  return answer;
}

/** What people wrote is taken over without a question, but not without a word. */
function told(report: SyncReport): SyncReport {
  const { imported, taken, files } = report;
  if (imported.length > 0) warn(`${counted(imported.length, 'task')} came in from ${files.todo} and ${files.state}`);
  for (const { number, file, fields } of taken) warn(`${file}: task ${number}: ${fields.join(', ')} taken over`);
  return report;
}
