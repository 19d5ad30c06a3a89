/**
 * Syncs TODO.md and state.json with the task list in both directions: reads edits first, then writes outdated entries. Runs before and after
 * everything about backlog tasks, so the next process completes what a crashed one left.
 *
 * A system lock admits one process at a time; the task list has its own transactions.
 */
import { dirname, join } from 'node:path';
import { sweepTemporaries } from '../workspace/temporary-name.ts';
import { inMemory } from '../ledger/connection.ts';
import type { EditedView, AppliedEdits } from './edited-view.ts';
import { type ViewName, viewNames } from '../ledger/task-list/task-views.ts';
import { withFileLock } from '../ledger/file-lock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { specsSetting } from '../project/specs-setting.ts';
import type { FoundTask, TodoFault } from '../todo/found-task.ts';
import { applyEdits } from './apply-edits.ts';
import { findTaskFiles, readTaskFile, type TaskFile, type TaskFiles } from './task-files.ts';
import { readFolderStates, writeFolderState } from './task-folders.ts';
import { viewFormats } from './view-format.ts';
import { writeView } from './write-view.ts';

export interface SyncReport extends AppliedEdits {
  readonly files: TaskFiles;
  /** Files that were written. */
  readonly written: string[];
  readonly faults: (TodoFault & { readonly file: string })[];
  /** Files that were removed and have been written again. */
  readonly missing: string[];
}

/** Receives everything a person should see: unreadable entries and rejected edits. */
type Warn = (what: string) => void;

/** Writes both files. */
export async function syncViews(project: string, ledger: Ledger, warn: Warn): Promise<SyncReport> {
  return syncFiles(project, ledger, ['todo', 'state'], warn);
}

/** Applies edits of both files, writes only this one. */
export async function writeTodo(project: string, ledger: Ledger, warn: Warn): Promise<SyncReport> {
  return syncFiles(project, ledger, ['todo'], warn);
}

export async function writeState(project: string, ledger: Ledger, warn: Warn): Promise<SyncReport> {
  return syncFiles(project, ledger, ['state'], warn);
}

/** Applies edits of both files to the task list and writes no file: for a dry run. */
export async function readViews(project: string, ledger: Ledger, warn: Warn): Promise<SyncReport> {
  return syncFiles(project, ledger, [], warn);
}

/** Attempts, in case a person keeps saving the file. */
const mostRounds = 20;

async function syncFiles(project: string, ledger: Ledger, names: readonly ViewName[], warn: Warn): Promise<SyncReport> {
  const files = await findTaskFiles(project, await specsSetting(project));
  const report: SyncReport = { files, imported: [], taken: [], conflicts: [], written: [], faults: [], missing: [] };
  const work = async (): Promise<void> => {
    for (let round = 1; round <= mostRounds; round += 1) {
      if (await syncOnce(project, ledger, files, names, report)) break;
    }
  };
  // Also where nothing has to be written: a commit of the user must not take it along.
  if (names.length > 0) for (const name of viewNames) await sweepTemporaries(dirname(join(project, files[name])));
  const isAlone = ledger.file === inMemory || names.length === 0;
  await (isAlone ? work() : withFileLock(`${ledger.file}.views`, work));
  for (const { file, line, message } of report.faults)
    warn(`${file}${line === undefined ? '' : `:${line}`}: ${message}`);
  for (const { file, what } of report.conflicts) warn(`${file}: ${what}; the task list is unchanged`);
  if (names.length > 0)
    for (const file of report.missing) warn(`${file} was missing and has been written again from the task list`);
  return report;
}

/** False when another process wrote a file meanwhile: the caller starts over. */
async function syncOnce(
  project: string,
  ledger: Ledger,
  files: TaskFiles,
  names: readonly ViewName[],
  report: SyncReport,
): Promise<boolean> {
  const found: Record<ViewName, TaskFile | null> = {
    todo: await readTaskFile(project, files.todo),
    state: await readTaskFile(project, files.state),
  };
  const edited = viewNames.flatMap((name) => {
    const view = readEdits(ledger, name, files[name], found[name], report);
    return view === null ? [] : [view];
  });
  const imported = edited.length === 0 ? [] : addTo(report, applyEdits(ledger, edited));
  await syncFolders(project, ledger, report, { imported, writes: names.length > 0 });
  for (const name of names) {
    const written = await writeView(ledger, { project, files, name, file: found[name] });
    if (written === 'changed') return false;
    if (written === 'written') report.written.push(files[name]);
  }
  return true;
}

/** Null for an unchanged file. */
function readEdits(
  { taskList }: Ledger,
  name: ViewName,
  path: string,
  file: TaskFile | null,
  report: SyncReport,
): EditedView | null {
  const known = taskList.view(name);
  if (known !== null && (file === null || known.path !== path)) {
    if (known.path === path && known.before?.hash !== null) report.missing.push(path);
    taskList.forgetView(name);
  }
  if (file === null) return null;
  const view = taskList.view(name);
  if (view?.hash === file.hash) {
    if (view.before !== null) taskList.endWriting(name);
    return null;
  }
  const reading = viewFormats[name].read(file.text, path);
  report.faults.push(...reading.faults.map((fault) => ({ ...fault, file: path })));
  return { name, path, file, reading, view };
}

/** Returns the new numbers. */
function addTo(report: SyncReport, { imported, taken, conflicts }: AppliedEdits): readonly number[] {
  report.imported.push(...imported);
  report.taken.push(...taken);
  report.conflicts.push(...conflicts);
  return imported;
}

/** Applies a language set in a task's folder; the rest of that file follows the task list. */
async function syncFolders(
  project: string,
  { taskList }: Ledger,
  { files, taken }: SyncReport,
  { imported, writes }: { readonly imported: readonly number[]; readonly writes: boolean },
): Promise<void> {
  const behind = new Set(taskList.behind('state').map(({ task }) => task.number));
  const states = await readFolderStates(project, files, [...new Set([...behind, ...imported])]);
  const written = states.length === 0 ? new Map() : taskList.entries('state');
  for (const state of states) {
    const { number, path, language } = state;
    const last = (written.get(number) as FoundTask | undefined)?.language;
    let task = taskList.task(number);
    if (task === null) continue;
    if (language !== undefined && language !== last && language !== task.language) {
      task = taskList.change(number, { language }, { by: 'file' });
      taken.push({ number, file: path, fields: ['language'] });
    }
    // A folder seen for the first time is not rewritten.
    if (writes && behind.has(number)) await writeFolderState(project, state, task);
  }
}
