/**
 * Applies people's edits of the files to the task list: new tasks, and changes entry by entry and field by field against what was last
 * written. On a conflict the task list wins; both sides are reported and the edit is recorded.
 */
import type { EditedView, AppliedEdits } from './edited-view.ts';
import { redact } from '../base/redact.ts';
import type { WrittenEntry } from '../ledger/task-list/task-views.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { whatPersonChanged } from '../todo/compare-task.ts';
import { foundOf, type FoundTask } from '../todo/found-task.ts';
import { importTasks } from './import-tasks.ts';

/** In one transaction. */
export function applyEdits(ledger: Ledger, edited: readonly EditedView[]): AppliedEdits {
  return ledger.atomically(() => {
    const all: AppliedEdits = { imported: [], taken: [], conflicts: [] };
    const seen = edited.map((view) => ({ view, outdated: compareView(ledger, view, all) }));
    const agreeing = importTasks(ledger, edited, all);
    for (const { view, outdated } of seen) {
      const { name, path, file, reading } = view;
      const entries = changedEntries(ledger.taskList.entries(name), reading.entries);
      ledger.taskList.sawView(name, { path, hash: file.hash, entries, inStep: agreeing(name), outdated });
    }
    return all;
  });
}

/** Returns the tasks whose entries in the file are outdated. */
function compareView({ taskList }: Ledger, { name, path, reading, view }: EditedView, all: AppliedEdits): number[] {
  const written = taskList.entries(name) as Map<number, FoundTask>;
  const faulty = new Set(reading.faults.map(({ number }) => number));
  const outdated: number[] = [];
  for (const number of new Set([...reading.entries.keys(), ...written.keys()])) {
    const task = taskList.task(number);
    const found = reading.entries.get(number);
    if (task === null || (found === undefined && (faulty.has(number) || taskList.isArchived(number)))) continue;
    const before = view?.before?.entries.get(number);
    // An archived task has no entry to compare with: a re-added one is compared with the task list.
    const base =
      baseOf(written.get(number), before, found) ?? (taskList.isArchived(number) ? foundOf(task) : undefined);
    const { changes, conflicts } = whatPersonChanged(base, found, task);
    const fields = Object.keys(changes);
    if (fields.length > 0) {
      taskList.change(number, changes, { by: 'file' });
      all.taken.push({ number, file: path, fields });
    }
    const isBack = found !== undefined && before === undefined && !written.has(number) && taskList.isArchived(number);
    const archived = `task ${number} is archived; its entry is removed again`;
    for (const conflict of [...conflicts, ...(isBack ? [archived] : [])]) {
      const what = redact(conflict).text;
      taskList.conflict(number, { view: path, what });
      all.conflicts.push({ number, file: path, what });
    }
    const isBehind = before !== undefined || taskList.isArchived(number);
    if (fields.length > 0 || conflicts.length > 0 || isBehind) outdated.push(number);
  }
  if (reading.next !== undefined) taskList.takeNumbers(reading.next, { by: 'file' });
  return outdated;
}

/** Base for the comparison. If the last write may be incomplete, an unchanged old value is not an edit. */
function baseOf(
  written: FoundTask | undefined,
  before: WrittenEntry | null | undefined,
  found: FoundTask | undefined,
): FoundTask | undefined {
  if (before === undefined) return written;
  if (before === null) return found === undefined ? undefined : written;
  const old = before as FoundTask;
  if (written === undefined || found === undefined) return written ?? old;
  const unchanged = Object.entries(found).filter(
    ([key, value]) => JSON.stringify(value) === JSON.stringify(old[key as keyof FoundTask]),
  );
  return { ...written, ...Object.fromEntries(unchanged) };
}

function changedEntries(
  written: ReadonlyMap<number, WrittenEntry>,
  found: ReadonlyMap<number, WrittenEntry>,
): Map<number, WrittenEntry | null> {
  const changed = new Map<number, WrittenEntry | null>();
  for (const [number, entry] of found) {
    if (JSON.stringify(entry) !== JSON.stringify(written.get(number))) changed.set(number, entry);
  }
  for (const number of written.keys()) if (!found.has(number)) changed.set(number, null);
  return changed;
}
