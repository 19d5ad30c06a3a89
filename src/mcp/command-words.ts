/**
 * The words of a command that a model gives: `research 12 look at the parser`. They become arguments of a process, never of a shell:
 * the first is one of ours, the number is a number, and the rest is one argument that cannot be taken for an option.
 */
import { tuttiError } from '../contracts/error.ts';

const aboutTasks = ['research', 'plan', 'implement', 'revise', 'review'] as const;

export type GivenCommand =
  | { readonly kind: 'command'; readonly command: string; readonly number: number; readonly words: readonly string[] }
  | { readonly kind: 'architect' | 'features'; readonly text: string; readonly words: readonly string[] };

export function commandWords(given: string): GivenCommand {
  const [, command = '', rest = ''] = /^\s*\/?(?:tutti:)?(\w{1,20})(?:\s+(\S[^]*))?$/.exec(given) ?? [];
  const text = rest.trimEnd();
  const [, digits, prompt = ''] = /^#?(\d{1,9})(?:\s+([^]*))?$/.exec(text) ?? [];
  const number = Number(digits ?? 0);
  if ((aboutTasks as readonly string[]).includes(command) && number > 0) {
    const words = [command, String(number), ...(prompt === '' ? [] : ['--', prompt])];
    return { kind: 'command', command, number, words };
  }
  if (command === 'feature' && text !== '') return { kind: 'features', text, words: ['feature', '--', text] };
  if (command === 'plan' && text !== '' && digits === undefined) {
    return { kind: 'architect', text, words: ['plan', '--', text] };
  }
  throw tuttiError('USAGE', {
    message: 'not a command',
    expected: `${aboutTasks.join('|')} NUMBER [WORDS], plan DESCRIPTION, or feature FEATURES`,
    got: given.slice(0, 100),
    next: 'Give the command, the number of the task, and what its agent is to be told.',
  });
}
