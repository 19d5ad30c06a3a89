/** CommandRequest: a task command as read from the command line. */
import { divisiError } from '../base/error.ts';
import { unquoted } from '../base/text.ts';
import type { CommandName } from '../routing/command-routing.ts';

export interface CommandRequest {
  readonly command: CommandName;
  readonly number: number;
  /** The person's own words; may be empty. */
  readonly prompt: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly driver?: string;
  /** Overrides the language in the files. */
  readonly language?: string;
  /** Start over instead of continuing unfinished work. */
  readonly isNew?: boolean;
}

export function isTaskNumber(text: string): boolean {
  return /^#?0{0,8}[1-9]\d{0,8}$/.test(text);
}

export function taskNumber(text: string): number {
  if (isTaskNumber(text)) return Number(text.replace('#', ''));
  throw divisiError('USAGE', {
    message: `not a task number: ${text === '' ? 'nothing' : text}`,
    expected: 'a whole number, 1 or more',
    got: text,
    next: 'divisi task list shows the numbers.',
  });
}

export function timeoutSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,7}$/.test(text) && seconds > 0) return seconds;
  throw divisiError('USAGE', {
    message: `--timeout: not a number of seconds: ${text}`,
    expected: 'whole seconds, 1 or more',
    got: text,
    next: 'Give whole seconds, or leave it out.',
  });
}

const longestPrompt = 8_000;

export function promptOf(words: readonly string[]): string {
  const prompt = unquoted(words.join(' '));
  if (prompt.length <= longestPrompt) return prompt;
  throw divisiError('USAGE', {
    message: `the prompt has ${prompt.length} characters`,
    expected: `at most ${longestPrompt}`,
    next: 'Put it into a file of the project, and name that file.',
  });
}
