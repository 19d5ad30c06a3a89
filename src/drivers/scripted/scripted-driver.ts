/**
 * Scripted driver: plays a scenario without a process or a model, the same every time. For demos, tests, and replaying a
 * recording.
 *
 * Writes only in the task's directory and to its output file. A repair is possible while the attempt has turns left. A task
 * without an entry in the scenario fails as not started.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Conversation, Driver, DriverNote, DriverTask, Turn, TurnFailure } from '../driver.ts';
import { newFile } from '../../process/output-file.ts';
import { markEnd, recoverReturn, turnOutputFile } from '../turn-output.ts';
import { withUsage } from '../../dialects/usage.ts';
import { writeInside } from '../inside.ts';
import { fillIn } from './placeholders.ts';
import { scriptedAttempt, type Scenario, type ScriptedEnd, type ScriptedTurn } from './scenario.ts';

export interface ScriptedSettings {
  readonly name: string;
  readonly scenario: Scenario;
  /** Milliseconds of the wall clock. */
  readonly now?: () => number;
}

export function scriptedDriver(settings: ScriptedSettings): Driver {
  return {
    name: settings.name,
    returnWay: () => 'message',
    start: (task, signal, note) => play(settings, task, signal, note),
    recover: (task) => recoverReturn(task.outputFile),
  };
}

function play(
  { scenario, now = Date.now }: ScriptedSettings,
  task: DriverTask,
  signal: AbortSignal,
  note: (note: DriverNote) => void,
): Conversation {
  const turns = scriptedAttempt(scenario, task)?.turns ?? [unknownTask(task)];
  const closing = new AbortController();
  const ended = AbortSignal.any([signal, closing.signal]);
  let repairs = 0;
  const take = async (turn: ScriptedTurn): Promise<Turn> => {
    const file = turnOutputFile(task.outputFile, repairs);
    return markEnd(file, await endOf(turn, task, { file, ended, now }));
  };

  const open = async (turn: ScriptedTurn): Promise<Turn> => {
    // The caller holds the conversation before its first note arrives.
    await Promise.resolve();
    if (!ended.aborted && !isNotStarted(turn.end)) note({ kind: 'started' });
    return take(turn);
  };

  const first = open(turns[0] ?? unknownTask(task));
  let last = first;
  return {
    first,
    repair: () => {
      const next = turns[repairs + 1];
      if (next === undefined) return null;
      repairs += 1;
      last = take(next);
      return last;
    },
    close: async () => {
      closing.abort();
      await last.catch(() => undefined);
    },
  };
}

function isNotStarted(end: ScriptedEnd): boolean {
  return end.kind === 'fail' && end.cause === 'not-started';
}

function unknownTask({ task, agent }: DriverTask): ScriptedTurn {
  const message = `the scenario has nothing for task ${task} or agent ${agent}, and no default`;
  return { after: 0, write: {}, end: { kind: 'fail', cause: 'not-started', message, said: '' } };
}

interface Stage {
  readonly file: string;
  readonly ended: AbortSignal;
  readonly now: () => number;
}

async function endOf(turn: ScriptedTurn, task: DriverTask, { file, ended, now }: Stage): Promise<Turn> {
  if (!(await waited(turn.after, ended))) return { end: 'cancelled', said: '' };
  for (const [path, text] of Object.entries(turn.write)) {
    const fault = await writeInside(task.directory, fillIn(path, task), fillIn(text, task));
    if (fault !== null) return { end: 'failed', cause: 'exit', message: fault, said: '' };
  }
  const said = fillIn(turn.end.kind === 'return' ? turn.end.text : turn.end.said, task);
  await newFile(file, said);
  const used = withUsage(turn.usage);
  switch (turn.end.kind) {
    case 'return':
      return { end: 'returned', text: said, ...used };
    case 'fail':
      return { end: 'failed', ...failureOf(turn.end, now), message: fillIn(turn.end.message, task), said, ...used };
    case 'hang':
      await untilAborted(ended);
      return { end: 'cancelled', said, ...used };
    default:
      return turn.end satisfies never;
  }
}

function failureOf(end: Extract<ScriptedEnd, { kind: 'fail' }>, now: () => number): TurnFailure {
  if (end.cause !== 'quota') return { cause: end.cause };
  return { cause: 'quota', ...(end.retryAfter === undefined ? {} : { until: now() + end.retryAfter * 1000 }) };
}

/** False if cancelled meanwhile. Returns at once without a delay: thousands of tasks are played in parallel. */
async function waited(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  if (milliseconds === 0) return true;
  return wait(milliseconds, true, { signal }).catch(() => false);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
