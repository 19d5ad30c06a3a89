/**
 * Recording driver: wraps a driver and records its turns as a scenario: duration, end, usage and written files. Includes the
 * report and worklog automatically.
 *
 * The conversations of the wrapped driver are unchanged. The scenario has no secrets and no ids of the run.
 */
import { redact } from '../../base/redact.ts';
import type { Conversation, Driver, DriverTask, Turn } from '../driver.ts';
import { withUsage } from '../../dialects/usage.ts';
import { readInside } from '../../workspace/project-path.ts';
import { takeOut } from './placeholders.ts';
import type { Scenario, ScriptedEnd, ScriptedTurn } from './scenario.ts';

export interface Recording {
  add(task: DriverTask, turn: number, recorded: ScriptedTurn): void;
  /** Everything recorded so far. */
  scenario(): Scenario;
}

export interface RecordingOptions {
  /** The paths in the directory that a turn changed; called after the turn. */
  readonly files?: (task: DriverTask) => Promise<readonly string[]>;
  /** Milliseconds of a monotonic clock, for durations. */
  readonly now?: () => number;
  /** Milliseconds of the wall clock, for quotas. */
  readonly wallClock?: () => number;
}

export function startRecording(): Recording {
  const tasks = new Map<string, Map<number, ScriptedTurn[]>>();
  return {
    add: ({ task, attempt }, turn, recorded) => {
      const attempts = tasks.get(task) ?? new Map<number, ScriptedTurn[]>();
      const turns = attempts.get(attempt) ?? [];
      turns[turn] = recorded;
      tasks.set(task, attempts.set(attempt, turns));
    },
    scenario: () => {
      const rows = [...tasks].map(([task, attempts]) => [task, inOrder(attempts)]);
      return { tasks: Object.fromEntries(rows) as Scenario['tasks'] };
    },
  };
}

function inOrder(attempts: ReadonlyMap<number, readonly ScriptedTurn[]>): Scenario['tasks'][string] {
  const sorted = [...attempts].toSorted(([one], [other]) => one - other);
  return sorted.map(([, turns]) => ({ turns: [...turns] }));
}

export function recordingDriver(inner: Driver, recording: Recording, options: RecordingOptions = {}): Driver {
  return {
    name: inner.name,
    returnWay: (task) => inner.returnWay(task),
    start: (task, signal, note) => recorded(inner.start(task, signal, note), task, recording, options),
    recover: (task) => inner.recover(task),
  };
}

function recorded(
  inner: Conversation,
  task: DriverTask,
  recording: Recording,
  options: RecordingOptions,
): Conversation {
  const { now = () => performance.now(), wallClock = Date.now } = options;
  const written = new Map<string, string>();
  let turns = 0;
  const keep = async (ending: Promise<Turn>): Promise<Turn> => {
    const [number, began] = [turns, now()];
    turns += 1;
    const turn = await ending;
    const after = turn.end === 'cancelled' ? 0 : Math.round(now() - began);
    const end = endOf(turn, task, wallClock());
    const write = await newFiles(task, written, await options.files?.(task));
    recording.add(task, number, { after, write, ...withUsage(turn.usage), end });
    return turn;
  };
  const first = keep(inner.first);
  let last = first;
  return {
    first,
    repair: (message) => {
      const ending = inner.repair(message);
      if (ending === null) return null;
      last = keep(ending);
      return last;
    },
    close: async () => {
      await inner.close();
      await last.catch(() => undefined);
    },
  };
}

/** Files that differ from those of earlier turns. */
async function newFiles(
  task: DriverTask,
  written: Map<string, string>,
  more: readonly string[] = [],
): Promise<Record<string, string>> {
  const found: [string, string][] = [];
  for (const path of new Set([task.reportPath, task.worklogPath, ...more])) {
    const text = await readInside(task.directory, path).catch(() => undefined);
    if (text === undefined || written.get(path) === text) continue;
    written.set(path, text);
    found.push([takeOut(path, task), kept(text, task)]);
  }
  return Object.fromEntries(found);
}

function endOf(turn: Turn, task: DriverTask, now: number): ScriptedEnd {
  switch (turn.end) {
    case 'returned':
      return { kind: 'return', text: kept(turn.text, task) };
    case 'failed': {
      const texts = { message: kept(turn.message, task), said: kept(turn.said, task) };
      if (turn.cause !== 'quota') return { kind: 'fail', cause: turn.cause, ...texts };
      return { kind: 'fail', cause: 'quota', ...retryOf(turn.until, now), ...texts };
    }
    case 'cancelled':
      return { kind: 'hang', said: kept(turn.said, task) };
    default:
      return turn satisfies never;
  }
}

/** Whole seconds, rounded up. */
function retryOf(until: number | undefined, now: number): { readonly retryAfter?: number } {
  return until === undefined ? {} : { retryAfter: Math.max(0, Math.ceil((until - now) / 1000)) };
}

/** Redacts first: a placeholder could look like a secret. */
function kept(text: string, task: DriverTask): string {
  return takeOut(redact(text.toWellFormed()).text, task);
}
