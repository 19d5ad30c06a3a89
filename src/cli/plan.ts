/** `tutti plan`: what `tutti run` would begin, made and shown, and nothing of it begun. */
import { tuttiError } from '../contracts/error.ts';
import type { Answer } from './output.ts';
import { run, type RunCommandOptions } from './run.ts';

export type PlanCommandOptions = Pick<RunCommandOptions, 'json' | 'new' | 'resume' | 'driver'>;

export async function plan(project: string, words: readonly string[], options: PlanCommandOptions): Promise<Answer> {
  if (words.join(' ').trim() === '') {
    throw tuttiError('USAGE', {
      message: 'there is nothing to plan',
      expected: 'a description, or the file of a plan',
      next: 'Say what is to be done: `tutti plan "people can choose a dark theme"`.',
    });
  }
  return run(project, words, { ...options, mode: 'plan' });
}
