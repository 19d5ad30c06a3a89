/** `divisi run plan.md` in a window, and how to tell its frame from its record. */
import { openTerminal, type Terminal } from '../support/terminal.ts';
import { mainFile } from '../support/divisi.ts';

const commandOf = (words: string): string => `"${process.execPath}" ${mainFile} ${words}; echo "ended with $?"`;
export const runCommand = commandOf('run plan.md');

/** On the screen once the command is over. */
export const ended = /^ended with \d/m;

/** Lines that only a frame has. */
export function frameLines(lines: readonly string[]): string[] {
  return lines.filter((line) => /^\[[ x~!^#.]|^wave \d+ of \d+ .*: \d+ of|Ctrl-C pause|^…|^needs you: /.test(line));
}

export function runInTerminal(cwd: string, columns = 100, rows = 24, words = 'run plan.md'): Terminal {
  const terminal = openTerminal(cwd, columns, rows);
  terminal.type(commandOf(words));
  return terminal;
}

/** Answers the open checkpoint as a person does: the second press follows once the first is understood. */
export async function pressTwice(terminal: Terminal, key: 'a' | 'r'): Promise<void> {
  terminal.press(key);
  await terminal.shows(new RegExp(`press ${key} again to |${key} again: `));
  terminal.press(key);
}
