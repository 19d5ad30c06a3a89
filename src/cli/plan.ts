/** `tutti plan`: a numbered task is planned; of anything else, what `tutti run` would begin is made and shown, and nothing of it begun. */
import { tuttiError } from '../contracts/error.ts';
import type { Answer } from './output.ts';
import { run, type RunCommandOptions } from './run.ts';
import { taskCommand, type TaskCommandOptions } from './task-command.ts';

export type PlanCommandOptions = Pick<RunCommandOptions, 'json' | 'new' | 'resume' | 'driver'> & TaskCommandOptions;

export async function plan(project: string, words: readonly string[], options: PlanCommandOptions): Promise<Answer> {
  if (words.join(' ').trim() === '') {
    throw tuttiError('USAGE', {
      message: 'there is nothing to plan',
      expected: 'a description, or the file of a plan',
      next: 'Say what is to be done: `tutti plan "people can choose a dark theme"`.',
    });
  }
  const { timeout, language, dryRun, resume, ...more } = options;
  if (isNumber(words[0])) {
    refuse(resume, '--resume', 'a numbered task goes on by itself');
    return taskCommand(project, 'plan', words, options);
  }
  refuse(timeout ?? language ?? dryRun, '--timeout, --language and --dry-run', 'they are for numbered tasks');
  return run(project, words, { ...more, ...(resume === undefined ? {} : { resume }), mode: 'plan' });
}

/** A number is a task, anything else a description or a file. */
const isNumber = (word: string | undefined): boolean => /^\d+$/.test(word ?? '');

function refuse(given: unknown, options: string, why: string): void {
  if (given === undefined) return;
  throw tuttiError('USAGE', { message: `${options}: ${why}`, next: 'Leave it out.' });
}
