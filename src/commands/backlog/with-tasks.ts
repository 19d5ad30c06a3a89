/** Gives commands the backlog tasks, with TODO.md and state.json in sync. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readViews, syncViews, type SyncReport } from '../sync-views.ts';
import { findTaskFiles, type TaskFiles } from '../task-files.ts';
import { taskUnknown } from '../../ledger/task-list/task-fault.ts';
import { inMemory } from '../../ledger/connection.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import { rehearseLedger, withLedger } from '../../project/project-ledger.ts';
import { ledgerFile } from '../../workspace/places.ts';
import { specsSetting } from '../../project/specs-setting.ts';
import type { ProjectTask } from '../../todo/project-task.ts';
import { counted } from '../../views/text/quantity.ts';
import { projectOfRoom } from '../../workspace/state-folder.ts';

export interface BacklogDeps {
  /** Absolute. A room resolves to the project it belongs to. */
  readonly project: string;
  /** Reports edits that were read from the files. */
  readonly warn: (error: unknown) => void;
}

export interface Tasks {
  readonly ledger: Ledger;
  readonly files: TaskFiles;
  /** Throws TASK_UNKNOWN with the file's name. */
  readonly find: (number: number) => ProjectTask;
}

export type TaskWork<T> = (tasks: Tasks) => Promise<T> | T;

/** For commands that change tasks: writes both files afterwards. */
export async function withTasks<T>(given: BacklogDeps, work: TaskWork<T>): Promise<T> {
  const deps = { ...given, project: outsideOfDelegations(given.project) };
  return withLedger(deps.project, async (ledger) => {
    const answer = await afterSync(deps, ledger, work);
    await sync(deps, ledger);
    return answer;
  });
}

/** For a dry run: nothing is kept and no file is written. */
export async function withTasksRehearsed<T>(given: BacklogDeps, work: TaskWork<T>): Promise<T> {
  const deps = { ...given, project: outsideOfDelegations(given.project) };
  return rehearseLedger(deps.project, async (ledger) => afterSync(deps, ledger, work, readViews));
}

/** For read-only commands: creates nothing where there is neither a ledger nor a task file. */
export async function withTasksReadOnly<T>(given: BacklogDeps, work: TaskWork<T>): Promise<T> {
  const deps = { ...given, project: outsideOfDelegations(given.project) };
  const { project } = deps;
  if (await hasTasks(project)) return withLedger(project, async (ledger) => afterSync(deps, ledger, work));
  const ledger = openLedger(inMemory);
  try {
    return await afterSync(deps, ledger, work);
  } finally {
    ledger.close();
  }
}

async function hasTasks(project: string): Promise<boolean> {
  return existsSync(ledgerFile(project)) || (await existingTaskFiles(project)).length > 0;
}

async function existingTaskFiles(project: string): Promise<string[]> {
  const { todo, state } = await findTaskFiles(project, await specsSetting(project));
  return [todo, state].filter((file) => existsSync(join(project, file)));
}

async function afterSync<T>(deps: BacklogDeps, ledger: Ledger, work: TaskWork<T>, by = syncViews): Promise<T> {
  const { files } = await sync(deps, ledger, by);
  const find = (number: number): ProjectTask => {
    const task = ledger.taskList.task(number);
    if (task === null) throw taskUnknown(number, files.todo);
    return task;
  };
  return work({ ledger, files, find });
}

/** Applies edits of the files to the task list and reports them, then writes the files. */
async function sync({ project, warn }: BacklogDeps, ledger: Ledger, by = syncViews): Promise<SyncReport> {
  const sources = await existingTaskFiles(project);
  const report = await by(project, ledger, warn);
  const { imported, taken } = report;
  if (imported.length > 0) warn(`${counted(imported.length, 'task')} imported from ${sources.join(' and ')}`);
  for (const { number, file, fields } of taken)
    warn(`${file}: task ${number}: ${fields.join(', ')} updated from your edit`);
  return report;
}

/** An agent that runs a command works in a room; the task list and the delegations are in the project it belongs to. */
export function outsideOfDelegations(project: string): string {
  return projectOfRoom(project) ?? project;
}
