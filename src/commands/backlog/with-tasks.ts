/** Gives commands the backlog tasks, with TODO.md and state.json in sync. */
import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { syncViews, type SyncReport } from '../sync-views.ts';
import { findTaskFiles, type TaskFiles } from '../task-files.ts';
import { taskUnknown } from '../../ledger/task-list/task-fault.ts';
import { inMemory } from '../../ledger/connection.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { ledgerFile, withLedger } from '../../project/project-ledger.ts';
import { specsSetting } from '../../project/specs-setting.ts';
import type { ProjectTask } from '../../todo/project-task.ts';
import { counted } from '../../views/text/quantity.ts';

export interface BacklogPlace {
  /** Absolute; a worktree stands for the project above it. */
  readonly project: string;
  /** Reports edits that were read from the files. */
  readonly warn: (error: unknown) => void;
}

export interface Tasks {
  readonly ledger: Ledger;
  readonly files: TaskFiles;
  /** Refused (TASK_UNKNOWN) with the name of the file. */
  readonly find: (number: number) => ProjectTask;
}

export type TaskWork<T> = (tasks: Tasks) => Promise<T> | T;

/** For commands that change tasks: writes both files afterwards. */
export async function withTasks<T>(given: BacklogPlace, work: TaskWork<T>): Promise<T> {
  const place = { ...given, project: outsideOfDelegations(given.project) };
  return withLedger(place.project, async (ledger) => {
    const answer = await afterSync(place, ledger, work);
    await sync(place, ledger);
    return answer;
  });
}

/** For commands that only look: creates nothing where there is neither a ledger nor a task file. */
export async function withTasksReadOnly<T>(given: BacklogPlace, work: TaskWork<T>): Promise<T> {
  const place = { ...given, project: outsideOfDelegations(given.project) };
  const { project } = place;
  if (await hasTasks(project)) return withLedger(project, async (ledger) => afterSync(place, ledger, work));
  const ledger = openLedger(inMemory);
  try {
    return await afterSync(place, ledger, work);
  } finally {
    ledger.close();
  }
}

async function hasTasks(project: string): Promise<boolean> {
  if (existsSync(ledgerFile(project))) return true;
  const { todo, state } = await findTaskFiles(project, await specsSetting(project));
  return [todo, state].some((file) => existsSync(join(project, file)));
}

async function afterSync<T>(place: BacklogPlace, ledger: Ledger, work: TaskWork<T>): Promise<T> {
  const { files } = await sync(place, ledger);
  const find = (number: number): ProjectTask => {
    const task = ledger.taskList.task(number);
    if (task === null) throw taskUnknown(number, files.todo);
    return task;
  };
  return work({ ledger, files, find });
}

/** Applies edits of the files to the task list and reports them, then writes the files. */
async function sync({ project, warn }: BacklogPlace, ledger: Ledger): Promise<SyncReport> {
  const report = await syncViews(project, ledger, warn);
  const { imported, taken, files } = report;
  if (imported.length > 0) warn(`${counted(imported.length, 'task')} imported from ${files.todo} and ${files.state}`);
  for (const { number, file, fields } of taken)
    warn(`${file}: task ${number}: ${fields.join(', ')} updated from your edit`);
  return report;
}

/** An agent that runs a command works in a worktree; the task list and the delegations are in the project above it. */
export function outsideOfDelegations(project: string): string {
  const [outside = project] = resolve(project).split(`${sep}.divisi${sep}worktrees${sep}`);
  return outside;
}
