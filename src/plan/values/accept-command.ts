/**
 * Accept command: finds the command in an acceptance criterion. Divisi runs it, and its exit code decides.
 *
 * A criterion is a command if it is marked (`run: …`, `accept: …`, `$ …`), if it is only code, if it ends in a colon and code,
 * or if it obviously is one (`npm test`). Every other criterion is text for the agent.
 */
import { commandWords } from './command-words.ts';
import { labelIn } from '../markdown/inline.ts';
import { isPlainCommand, isProgram, isProse, isRunner } from './runners.ts';
import { shellSyntax } from './shell-syntax.ts';

/** The words of the command line, the reason why it can never run, or undefined for a criterion without a command. */
export type CriterionCommand = readonly string[] | { readonly fault: string } | undefined;

export function acceptCommand(criterion: string): CriterionCommand {
  const text = criterion.trim();
  const line = declared(text) ?? inCode(text) ?? (isPlainCommand(commandWords(text) ?? []) ? text : undefined);
  return line === undefined ? undefined : checked(line);
}

/** An amount of money starts the same way. */
const prompt = /^\$ [^\d\s]/;

/** Code marks around the command are decoration. A sentence after the label is not a command. */
function declared(text: string): string | undefined {
  if (prompt.test(text)) return text.slice(2);
  const label = labelIn(text, { at: 0, end: text.length });
  if (label === undefined || (label.name !== 'accept' && label.name !== 'run')) return undefined;
  const value = text.slice(label.value.at);
  const found = codeAtEnd(value);
  const line = found?.before === '' ? found.code : value;
  return isProse(/^\S*/.exec(line)?.[0] ?? '') ? undefined : line;
}

/** After these words, code is output or a name rather than a command. */
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

/** A single name may be anything: a file, a function, a field. */
function looksRun(program: string, code: string): boolean {
  return isProgram(program) || (code.length > program.length && /^[a-z0-9_./][\w.+@/-]*$/.test(program));
}

function checked(line: string): CriterionCommand {
  const syntax = shellSyntax(line);
  if (syntax !== undefined) {
    return {
      fault: `${syntax} needs a shell, and commands run without one: move it into a script, or split the criterion`,
    };
  }
  if (/\p{Cc}/u.test(line.replaceAll(/\s/g, ''))) return { fault: 'it contains a control character' };
  return commandWords(line) ?? { fault: 'it is empty or has an unclosed quote' };
}

/** Code at the end of a text, and the text before it. */
interface CodeAtEnd {
  readonly before: string;
  readonly code: string;
}

/** A full stop after the code is not part of it. */
function codeAtEnd(text: string): CodeAtEnd | undefined {
  const trimmed = text.trimEnd();
  const end = trimmed.endsWith('`.') ? trimmed.length - 1 : trimmed.length;
  let from = end;
  while (from > 0 && trimmed[from - 1] === '`') from -= 1;
  const fence = trimmed.slice(from, end);
  if (fence === '' || from === 0) return undefined;
  const at = trimmed.lastIndexOf(fence, from - 1 - fence.length);
  // A longer run of backticks is another fence, so this one has no beginning.
  if (at < 0 || trimmed[at - 1] === '`') return undefined;
  const code = trimmed.slice(at + fence.length, from).trim();
  return code === '' ? undefined : { before: trimmed.slice(0, at), code };
}
