/** `divisi plan`: plans a backlog task by number, or makes and shows the plan that `divisi run` would start. */
import { isTaskNumber } from '../../commands/command-request.ts';
import { divisiError } from '../../base/error.ts';
import type { Answer } from '../output.ts';
import { run, type RunCommandOptions } from './run.ts';
import { taskCommand, type TaskCommandOptions } from '../task/task-command.ts';

/** Some are for numbers, some for descriptions. */
export type PlanCommandOptions = Pick<RunCommandOptions, 'json' | 'new' | 'resume' | 'driver'> & TaskCommandOptions;

export async function plan(project: string, words: readonly string[], options: PlanCommandOptions): Promise<Answer> {
  if (words.join(' ').trim() === '') {
    throw divisiError('USAGE', {
      message: 'there is nothing to plan',
      expected: 'a description, or the file of a plan',
      next: 'Describe the goal: `divisi plan "people can choose a dark theme"`.',
    });
  }
  if (isTaskNumber(words[0] ?? '')) return taskCommand(project, 'plan', words, options);
  const forNumbers = (['timeout', 'language', 'dryRun'] as const).find((name) => options[name] !== undefined);
  if (forNumbers !== undefined) throw onlyForNumbers(forNumbers);
  return run(project, words, { ...options, mode: 'plan' });
}

function onlyForNumbers(name: string): Error {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return divisiError('USAGE', {
    message: `${option} needs a task number`,
    next: 'Give a number, or leave the option out.',
  });
}
