/**
 * The command in an acceptance criterion, for Divisi to run: its exit code says whether the criterion holds.
 *
 * A criterion is a command where its writer says so (`run: …`, `accept: …`, `$ …`), where it is code and nothing else, where
 * code follows a colon at its end, or where it plainly is one (`npm test`). Every other is words, and for the agent alone.
 */
import { commandWords } from './command-words.ts';
import { labelIn } from '../markdown/inline.ts';
import { isPlainCommand, isProgram, isProse, isRunner } from './runners.ts';
import { shellSyntax } from './shell-syntax.ts';

/** The words of the command line, why it can never be run, or undefined where the criterion is none. */
export type AcceptCommand = readonly string[] | { readonly fault: string } | undefined;

export function acceptCommand(criterion: string): AcceptCommand {
  const text = criterion.trim();
  const line = declared(text) ?? inCode(text) ?? (isPlainCommand(commandWords(text) ?? []) ? text : undefined);
  return line === undefined ? undefined : checked(line);
}

/** An amount of money begins in the same way. */
const prompt = /^\$ [^\d\s]/;

/** Code around it is decoration. A sentence behind the label stays one. */
function declared(text: string): string | undefined {
  if (prompt.test(text)) return text.slice(2);
  const label = labelIn(text, { at: 0, end: text.length });
  if (label === undefined || (label.name !== 'accept' && label.name !== 'run')) return undefined;
  const value = text.slice(label.value.at);
  const found = codeAtEnd(value);
  const line = found?.before === '' ? found.code : value;
  return isProse(/^\S*/.exec(line)?.[0] ?? '') ? undefined : line;
}

/** Behind these words stands what is printed, or what something is called, unless it begins as no such thing does. */
const aboutText =
  /(?:^|\W)(?:prints?|says?|shows?|outputs?|returns?|reads?|contains?|answers?|writes|logs?|is|are|equals|with|example|as|like|messages?|errors?|headers?|lines?|text|named|called|form|format|keys?|values?|fields?|names?)\W*$/i;

function inCode(text: string): string | undefined {
  const found = codeAtEnd(text);
  if (found === undefined) return undefined;
  const before = found.before.trimEnd();
  if (before !== '' && !before.endsWith(':')) return undefined;
  if (prompt.test(found.code)) return found.code.slice(2);
  const program = /^[^\s;&|<>]*/.exec(found.code)?.[0] ?? '';
  if (isRunner(program)) return found.code;
  return aboutText.test(before.slice(-40)) || !looksRun(program, found.code) ? undefined : found.code;
}

/** A name alone may be that of anything: a file, a function, a field. */
function looksRun(program: string, code: string): boolean {
  return isProgram(program) || (code.length > program.length && /^[a-z0-9_./][\w.+@/-]*$/.test(program));
}

function checked(line: string): AcceptCommand {
  const syntax = shellSyntax(line);
  if (syntax !== undefined) {
    return {
      fault: `only a shell understands ${syntax}, and none runs it: put it into a script, or make two criteria`,
    };
  }
  if (/\p{Cc}/u.test(line.replaceAll(/\s/g, ''))) return { fault: 'it has a control character' };
  return commandWords(line) ?? { fault: 'it has no words, or a quote that is not closed' };
}

/** What a text ends in, where that is code, and the words before it. */
export interface CodeAtEnd {
  readonly before: string;
  readonly code: string;
}

/** A full stop behind the code is none of it. */
export function codeAtEnd(text: string): CodeAtEnd | undefined {
  const trimmed = text.trimEnd();
  const end = trimmed.endsWith('`.') ? trimmed.length - 1 : trimmed.length;
  let from = end;
  while (from > 0 && trimmed[from - 1] === '`') from -= 1;
  const fence = trimmed.slice(from, end);
  if (fence === '' || from === 0) return undefined;
  const at = trimmed.lastIndexOf(fence, from - 1 - fence.length);
  // A longer run of backticks is another fence, and leaves this one without its beginning.
  if (at < 0 || trimmed[at - 1] === '`') return undefined;
  const code = trimmed.slice(at + fence.length, from).trim();
  return code === '' ? undefined : { before: trimmed.slice(0, at), code };
}
