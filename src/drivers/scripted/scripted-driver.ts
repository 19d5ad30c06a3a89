/**
 * Plays a scenario: no process, no model, the same every time. For demonstrations, for tests, and to run a recorded
 * session again.
 *
 * Writes inside the task's directory and to its output file, and nowhere else. A repair is possible while the attempt has
 * turns left. A task the scenario does not know fails as not started.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Conversation, Driver, DriverNote, DriverTask, Turn } from '../driver.ts';
import { newFile, noteEnd, recoverSaid, saidFile } from '../said.ts';
import { writeInside } from './inside.ts';
import { fillIn } from './placeholders.ts';
import { attemptOf, type Scenario, type ScriptedEnd, type ScriptedTurn } from './scenario.ts';

export function scriptedDriver({ name, scenario }: { readonly name: string; readonly scenario: Scenario }): Driver {
  return {
    name,
    start: (task, signal, note) => play(scenario, task, signal, note),
    recover: (task) => recoverSaid(task.outputFile),
  };
}

function play(
  scenario: Scenario,
  task: DriverTask,
  signal: AbortSignal,
  note: (note: DriverNote) => void,
): Conversation {
  const turns = attemptOf(scenario, task.task, task.attempt)?.turns ?? [unknownTask(task)];
  const closing = new AbortController();
  const ended = AbortSignal.any([signal, closing.signal]);
  let repairs = 0;
  const take = async (turn: ScriptedTurn): Promise<Turn> => {
    const file = saidFile(task.outputFile, repairs);
    return noteEnd(file, await endOf(turn, task, file, ended));
  };

  const open = async (turn: ScriptedTurn): Promise<Turn> => {
    // Whoever starts a conversation has it in hand before it hears of it.
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

function unknownTask({ task }: DriverTask): ScriptedTurn {
  const message = `the scenario has nothing for task ${task}, and no default`;
  return { after: 0, write: {}, end: { kind: 'fail', cause: 'not-started', message, said: '' } };
}

async function endOf(turn: ScriptedTurn, task: DriverTask, file: string, ended: AbortSignal): Promise<Turn> {
  if (!(await waited(turn.after, ended))) return { end: 'cancelled', said: '' };
  for (const [path, text] of Object.entries(turn.write)) {
    const fault = await writeInside(task.directory, fillIn(path, task), fillIn(text, task));
    if (fault !== null) return { end: 'failed', cause: 'exit', message: fault, said: '' };
  }
  const said = fillIn(turn.end.kind === 'return' ? turn.end.text : turn.end.said, task);
  await newFile(file, said);
  switch (turn.end.kind) {
    case 'return':
      return { end: 'returned', text: said };
    case 'fail':
      return { end: 'failed', cause: turn.end.cause, message: fillIn(turn.end.message, task), said };
    case 'hang':
      await untilAborted(ended);
      return { end: 'cancelled', said };
    default:
      return turn.end satisfies never;
  }
}

/** False when it was cancelled meanwhile. Without a delay nothing is waited for: thousands of tasks are played at once. */
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
