/**
 * Command driver: runs an agent as a command of the user. The prompt is its standard input, the return its standard output.
 *
 * The command runs without a shell, in the task's directory. Its environment is the harmless part of the user's, the variables
 * that the settings allow by name, and `DIVISI_…` (see docs/drivers.md). Exit code 0 is a return, which the contract then checks;
 * 75 means that a limit was reached. `returns: exit-code` needs no return. Reviews may have their own command. A repair is another command with the message as input.
 */
import type { MarkedProcess } from '../../process/spawn-marked.ts';
import type { Conversation, Driver, DriverNote, DriverTask, Turn } from '../driver.ts';
import { recoverReturn, turnOutputFile } from '../turn-output.ts';
import type { CommandOptions } from './command-turn.ts';
import { runCommandTurn } from './command-turn.ts';

export function commandDriver(settings: CommandOptions): Driver {
  return {
    name: settings.name,
    returnWay: () => settings.returns ?? 'message',
    start: (task, signal, note) => converse(settings, task, signal, note),
    recover: (task) => recoverReturn(task.outputFile),
  };
}

function converse(
  settings: CommandOptions,
  task: DriverTask,
  signal: AbortSignal,
  note: (note: DriverNote) => void,
): Conversation {
  const closing = new AbortController();
  const cancelled = AbortSignal.any([signal, closing.signal]);
  const children: MarkedProcess[] = [];
  let repairs = 0;
  const run = (argv: readonly string[], input: string, more: Record<string, string> = {}): Promise<Turn> =>
    runCommandTurn({
      settings,
      task,
      argv,
      input,
      repair: repairs,
      more,
      cancelled,
      spawned: (child) => children.push(child),
      note,
    });

  const first = cannotReview(settings, task) ?? run(commandFor(settings, task), task.prompt);
  let last = first;
  return {
    first,
    repair: (message) => {
      if (settings.repair === undefined) return null;
      const refused = turnOutputFile(task.outputFile, repairs);
      repairs += 1;
      last = run(settings.repair, message, { DIVISI_REPAIR: String(repairs), DIVISI_RETURN_FILE: refused });
      return last;
    },
    // A command that ended may have left children running.
    close: async () => {
      closing.abort();
      await Promise.all(children.map((child) => child.stop('at-once')));
      await last.catch(() => undefined);
    },
  };
}

/** For a program that only works. */
export const reviewAdvice = 'set `Review:` in the plan to a command that reviews, or `Reviews: off`';

/** An exit code judges nothing: running the same program as the reviewer would only do its work again. */
function cannotReview({ name, review, returns }: CommandOptions, { isReview }: DriverTask): Promise<Turn> | undefined {
  if (!isReview || returns !== 'exit-code' || review !== undefined) return undefined;
  const message = `the driver ${name} returns an exit code, which judges nothing: ${reviewAdvice}`;
  return Promise.resolve({ end: 'failed', cause: 'environment', message, said: '' });
}

function commandFor({ argv, review = argv }: CommandOptions, { isReview }: DriverTask): readonly string[] {
  return isReview ? review : argv;
}
