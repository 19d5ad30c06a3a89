/**
 * Writes `.divisi/errors.json` for people: the attempts that did not complete, of all runs, newest last. Bounded and atomic, with one
 * entry per delegation.
 */
import { isRefusal } from '../base/error.ts';
import { isObject } from '../base/json-value.ts';
import type { RunEvent } from '../core/event/event.ts';
import { findTask, type RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import { errorEntries, failedTask } from '../views/run/error-entries.ts';
import { readInside } from '../workspace/project-path.ts';
import { stateFolder } from '../workspace/places.ts';
import { inTurn, type LogPlace, writeLog } from './log-file.ts';

const errorsFile = '.divisi/errors.json';
const mostErrors = 200;

/** Adds what is missing; an unreadable file is replaced. */
export async function logErrors(place: LogPlace, state: RunState, tasks: Iterable<TaskState>): Promise<void> {
  const { project, environment } = place;
  const entries = [...tasks].flatMap((task) => errorEntries(state, task, stateFolder(project, environment)));
  if (entries.length === 0) return;
  await inTurn(place, errorsFile, async () => {
    const known = readErrors(await readInside(project, errorsFile));
    const sessions = new Set(known.map((one) => one['session']));
    const added = entries.filter(({ session }) => !sessions.has(session));
    if (added.length === 0) return;
    await writeLog(project, errorsFile, `${JSON.stringify([...known, ...added].slice(-mostErrors), null, 2)}\n`);
  });
}

function readErrors(text: string | undefined): Record<string, unknown>[] {
  try {
    const value = JSON.parse(text ?? '[]') as unknown;
    return Array.isArray(value) ? value.filter(isObject) : [];
  } catch {
    return [];
  }
}

export interface ErrorLog {
  readonly followed: (event: RunEvent, state: RunState) => void;
  /** Logs what an earlier process could not, after everything that `followed` has started. */
  readonly end: (state: RunState) => Promise<void>;
}

/** The log of one session. A log that cannot be written does not stop the run. */
export function errorLog(place: LogPlace, warn: (error: unknown) => void): ErrorLog {
  let writing: Promise<void> = Promise.resolve();
  const write = (state: RunState, tasks: Iterable<TaskState>): void => {
    writing = writing.then(async () => {
      try {
        await logErrors(place, state, tasks);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        warn(error);
      }
    });
    writing.catch(() => undefined);
  };
  return {
    followed(event, state) {
      const task = findTask(state, failedTask(event) ?? '');
      if (task !== undefined) write(state, [task]);
    },
    async end(state) {
      write(state, [...state.tasks.values(), ...state.gateTasks.values()]);
      await writing;
    },
  };
}
