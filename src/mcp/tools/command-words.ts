/**
 * The words of a command that a model gives: `research 12 look at the parser`. They become arguments of a process, never of a shell:
 * the first is one of ours, the number is a number, and what is free text is one argument that cannot be taken for an option.
 */
import { divisiError } from '../../base/error.ts';

const aboutTasks: readonly string[] = ['research', 'plan', 'implement', 'revise', 'review'];

interface Worded {
  /** `--json` included: what stands behind `--` is no option. */
  readonly words: readonly string[];
}

export type GivenCommand =
  | (Worded & { readonly kind: 'command'; readonly command: string; readonly number: number; readonly text: string })
  | (Worded & { readonly kind: 'features'; readonly text: string })
  /** A goal, or the file of a plan. */
  | { readonly kind: 'architect'; readonly text: string }
  /** Answered at once, without a run. */
  | (Worded & { readonly kind: 'task-list' });

export function commandWords(given: string): GivenCommand {
  const { word: command, rest } = firstWord(given.replace(/^\s*\/?(?:divisi:)?/, ''));
  const { number, rest: prompt } = numbered(rest);
  if (aboutTasks.includes(command) && number > 0) {
    const words = [command, '--json', String(number), ...(prompt === '' ? [] : ['--', prompt])];
    return { kind: 'command', command, number, text: prompt, words };
  }
  if (command === 'feature' && rest !== '') {
    return { kind: 'features', text: rest, words: ['feature', '--json', '--', rest] };
  }
  if (command === 'plan' && rest !== '' && !/^#?\d+$/.test(rest)) {
    return { kind: 'architect', text: rest };
  }
  if (command === 'todo' && rest === '') return { kind: 'task-list', words: ['todo', '--json'] };
  const words = command === 'task' ? taskWords(rest) : undefined;
  if (words !== undefined) return { kind: 'task-list', words: ['task', ...words] };
  throw notACommand(given);
}

function notACommand(given: string): Error {
  return divisiError('USAGE', {
    message: 'not a command',
    expected: `${aboutTasks.join('|')} NUMBER [TEXT], plan TEXT, feature TEXT, todo, task add TITLE|list [STATUS]|show N|block N WHY|abandon N [WHY]|expand N PART; PART`,
    got: given.slice(0, 100),
    next: 'Give one of these, as it is written here.',
  });
}

/** Undefined where it is none of ours. */
function taskWords(given: string): string[] | undefined {
  const { word, rest } = firstWord(given);
  const { number, rest: text } = numbered(rest);
  const reason = text === '' ? [] : [`--reason=${text}`];
  switch (word) {
    case '':
    case 'list':
      return ['list', '--json', ...(rest === '' ? [] : [`--status=${rest}`])];
    case 'add':
      return rest === '' ? undefined : ['add', '--json', '--', rest];
    case 'show':
      return number > 0 && text === '' ? ['show', '--json', String(number)] : undefined;
    case 'block':
    case 'abandon':
      return number > 0 ? [word, '--json', ...reason, String(number)] : undefined;
    case 'expand': {
      const parts = text.split(/[;\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
      return number > 0 && parts.length > 0 ? ['expand', '--json', String(number), '--', ...parts] : undefined;
    }
    default:
      return undefined;
  }
}

function firstWord(text: string): { readonly word: string; readonly rest: string } {
  const [, word = '', rest = ''] = /^([a-z]{1,20})(?:\s+(\S[^]*))?$/.exec(text.trim()) ?? [];
  return { word, rest };
}

/** Zero where it does not begin with a number. */
function numbered(text: string): { readonly number: number; readonly rest: string } {
  const [, digits = '0', rest = ''] = /^#?(\d{1,9})(?:\s+(\S[^]*))?$/.exec(text) ?? [];
  return { number: Number(digits), rest };
}
