/** Finds a run by name, else the active one, else the newest; finds a task by its address `[RUN/]TASK`. */
import { divisiError } from '../base/error.ts';
import { findTask as stateTask, isOver, type RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { foldRun } from '../ledger/fold-run.ts';
import { movedHere } from './moved-projects.ts';

export function findRun(ledger: LedgerReader, name: string | undefined): RunRow {
  if (name !== undefined) {
    const found = ledger.run(name);
    if (found !== null) return found;
    throw divisiError('RUN_UNKNOWN', {
      message: `there is no run ${name}`,
      next: '`divisi list` shows the runs of this project.',
      ids: { run: name },
    });
  }
  const runs = ledger.runs();
  const [newest] = runs;
  if (newest === undefined) {
    const moved = movedHere(ledger.file);
    if (moved !== undefined) {
      throw divisiError('RUN_UNKNOWN', {
        message: moved,
        next: 'Run that command if the project was moved here; `divisi run PLAN` starts a new run.',
      });
    }
    throw divisiError('RUN_UNKNOWN', {
      message: 'this project has no runs',
      next: '`divisi run PLAN` starts one; run divisi in the folder of the project.',
    });
  }
  return runs.find(({ status }) => !isOver(status)) ?? newest;
}

/** The name is a run's, not a task's. Tasks come first: an id may look like the prefix of a run. */
export function namesRun(ledger: LedgerReader, name: string): boolean {
  if (name.includes('/') || foldRun(ledger, findRun(ledger, undefined).run).tasks.has(name)) return false;
  return /^run_/i.test(name) || ledger.run(name) !== null;
}

export interface RunTask {
  readonly row: RunRow;
  readonly state: RunState;
  readonly task: TaskState;
}

/** By id or unique prefix. */
export function findRunTask(ledger: LedgerReader, address: string): RunTask {
  const slash = address.indexOf('/');
  const row = findRun(ledger, slash === -1 ? undefined : address.slice(0, slash));
  const id = address.slice(slash + 1);
  const state = foldRun(ledger, row.run);
  const begins = [...state.tasks.values(), ...state.gateTasks.values()].filter(({ planned }) =>
    planned.id.startsWith(id),
  );
  const task = stateTask(state, id) ?? (begins.length === 1 && id !== '' ? begins[0] : undefined);
  if (task !== undefined) return { row, state, task };
  throw divisiError('TASK_UNKNOWN', {
    message: begins.length > 1 ? `more than one task of ${row.run} begins with ${id}` : `${row.run} has no task ${id}`,
    next: `\`divisi status ${row.run}\` shows its tasks; a task of another run is addressed RUN/TASK.`,
    ids: { run: row.run, task: id },
  });
}
