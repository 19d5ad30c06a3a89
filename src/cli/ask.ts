/** Asks on a terminal: numbered choices, or one line per question. End of input and Ctrl-C quit. */
import { createInterface } from 'node:readline';
import { oneLine } from '../base/text.ts';

export interface Menu {
  /** The choices, numbered from 1 in this order. */
  readonly choices: readonly string[];
  /** Printed above the choices. */
  readonly about: string;
  /** Label of the choice `new`; without it `new` is not offered. */
  readonly fresh?: string;
}

/** Characters. */
const longestAnswer = 1000;

/** A number is the index of the choice. */
export type Choice = number | 'new' | 'quit';

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Both ends must be terminals: a person can be asked only then. */
export function isTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Undefined for a line that is not a choice. */
export function readChoice(line: string, { choices, fresh }: Menu): Choice | undefined {
  const word = line.trim().toLowerCase();
  if (word === '' || word === 'q' || word === 'quit') return 'quit';
  if (fresh !== undefined && (word === 'n' || word === 'new')) return 'new';
  const number = /^\d{1,6}$/.test(word) ? Number(word) : 0;
  return number >= 1 && number <= choices.length ? number - 1 : undefined;
}

export async function ask(
  question: Menu,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<Choice> {
  const { choices, about, fresh } = question;
  const lines = choices.map((choice, at) => `  ${at + 1}  ${choice}`);
  const more = [...(fresh === undefined ? [] : [`  n  ${fresh}`]), '  q  quit'];
  terminal.output.write(`${[about, ...lines, ...more].join('\n')}\n`);
  const reader = createInterface({ ...terminal, prompt: '> ' });
  try {
    reader.prompt();
    for await (const line of reader) {
      const choice = readChoice(line, question);
      if (choice !== undefined) return choice;
      reader.prompt();
    }
    return 'quit';
  } finally {
    reader.close();
  }
}

/** Asks for one line per question, in order. An empty line or the end of input leaves the rest unanswered. */
export async function askEach(
  about: string,
  questions: readonly string[],
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<readonly string[]> {
  terminal.output.write(`\n${about}\n(one line each; an empty line skips the rest)\n`);
  const answers: string[] = [];
  const reader = createInterface({ ...terminal, prompt: '> ' });
  const next = (): void => {
    terminal.output.write(`\n${answers.length + 1}  ${questions[answers.length] ?? ''}\n`);
    reader.prompt();
  };
  try {
    next();
    for await (const line of reader) {
      const answer = oneLine(line, longestAnswer);
      if (answer === '') break;
      answers.push(answer);
      if (answers.length === questions.length) break;
      next();
    }
    return answers;
  } finally {
    reader.close();
  }
}
