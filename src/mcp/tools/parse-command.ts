/**
 * Parses a command from a model: `research 12 look at the parser`. The words become arguments of a process, never of a shell: known names,
 * digits, and free text as one argument behind `--`.
 */
import { divisiError } from '../../base/error.ts';

const aboutTasks: readonly string[] = ['research', 'plan', 'implement', 'revise', 'review'];

interface Worded {
  /** With `--json`; nothing behind `--` is read as an option. */
  readonly words: readonly string[];
}

export type GivenCommand =
  | (Worded & { readonly kind: 'command'; readonly command: string; readonly number: number; readonly text: string })
  | (Worded & { readonly kind: 'features'; readonly text: string })
  /** A goal, or the file of a plan. */
  | { readonly kind: 'architect'; readonly text: string }
  /** Answered at once, without a run. */
  | { readonly kind: 'task-list'; readonly call: BacklogCall };

export type BacklogCall =
  | { readonly action: 'list'; readonly status?: string }
  | { readonly action: 'add'; readonly title: string }
  | { readonly action: 'show'; readonly number: number }
  | { readonly action: 'block'; readonly number: number; readonly reason: string }
  | { readonly action: 'abandon'; readonly number: number; readonly reason?: string }
  | { readonly action: 'expand'; readonly number: number; readonly parts: readonly string[] }
  | { readonly action: 'archive' };

export function parseCommand(given: string): GivenCommand {
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
  if (command === 'todo' && rest === '') return { kind: 'task-list', call: { action: 'archive' } };
  const call = command === 'task' ? backlogCall(rest) : undefined;
  if (call !== undefined) return { kind: 'task-list', call };
  throw notACommand(given);
}

function notACommand(given: string): Error {
  return divisiError('USAGE', {
    message: 'not a command',
    expected: `${aboutTasks.join('|')} NUMBER [TEXT], plan TEXT, feature TEXT, todo, task add TITLE|list [STATUS]|show N|block N WHY|abandon N [WHY]|expand N PART; PART`,
    got: given.slice(0, 100),
    next: 'Use one of these forms.',
  });
}

/** Undefined for an unknown action or missing arguments. */
function backlogCall(given: string): BacklogCall | undefined {
  const { word, rest } = firstWord(given);
  const { number, rest: text } = numbered(rest);
  switch (word) {
    case '':
    case 'list':
      return { action: 'list', ...(rest === '' ? {} : { status: rest }) };
    case 'add':
      return rest === '' ? undefined : { action: 'add', title: rest };
    case 'show':
      return number > 0 && text === '' ? { action: 'show', number } : undefined;
    case 'block':
      return number > 0 && text !== '' ? { action: 'block', number, reason: text } : undefined;
    case 'abandon':
      return number > 0 ? { action: 'abandon', number, ...(text === '' ? {} : { reason: text }) } : undefined;
    case 'expand': {
      const parts = text.split(/[;\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
      return number > 0 && parts.length > 0 ? { action: 'expand', number, parts } : undefined;
    }
    default:
      return undefined;
  }
}

function firstWord(text: string): { readonly word: string; readonly rest: string } {
  const [, word = '', rest = ''] = /^([a-z]{1,20})(?:\s+(\S[^]*))?$/.exec(text.trim()) ?? [];
  return { word, rest };
}

/** Zero where the text does not start with a number. */
function numbered(text: string): { readonly number: number; readonly rest: string } {
  const [, digits = '0', rest = ''] = /^#?(\d{1,9})(?:\s+(\S[^]*))?$/.exec(text) ?? [];
  return { number: Number(digits), rest };
}
