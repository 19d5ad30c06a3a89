/** Prints the answers of commands: text for people, JSON for programs, and an exit code. */
import { messageOf, DivisiError } from '../base/error.ts';
import { flatten } from '../base/text.ts';
import { terminalJson, terminalJsonLine } from '../views/text/escape.ts';

/** `valid` and `violations` for returns, `completed` to `cancelled` for runs. */
export const exitCodes = {
  valid: 0,
  violations: 1,
  completed: 0,
  failed: 1,
  usage: 2,
  paused: 3,
  cancelled: 4,
  /** Paused until a person has answered. */
  needsAnswer: 5,
  internal: 70,
  unwritten: 74,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface Answer {
  readonly code: ExitCode;
  /** Printed with `--json`. */
  readonly json: unknown;
  /** The JSON is the last line of a stream of lines. */
  readonly isLine?: true;
  /** Printed for people; may be empty. Text from agents in it is escaped. */
  readonly text: string;
}

const users = new Set<() => void>();

/** Registers work to do when standard output is closed; returns a function that unregisters it. */
export function onLostOutput(stop: () => void): () => void {
  users.add(stop);
  return () => void users.delete(stop);
}

/** False if nothing is registered and the process may exit at once. */
export function loseOutput(): boolean {
  for (const stop of users) stop();
  return users.size > 0;
}

export function writeAnswer({ json, isLine, text }: Answer, asJson: boolean): void {
  const asText = isLine === true ? terminalJsonLine : terminalJson;
  const shown = asJson ? (json === undefined ? '' : asText(json)) : text;
  if (shown !== '') process.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
}

export function writeError(error: DivisiError, asJson: boolean): void {
  if (asJson) process.stdout.write(`${terminalJsonLine({ ok: false, error })}\n`);
  else process.stderr.write(errorText(error));
}

/** Prints a problem that does not stop the command. */
export function warn(error: unknown): void {
  if (error instanceof DivisiError) writeError(error, false);
  else process.stderr.write(`divisi: ${flatten(messageOf(error))}\n`);
}

function errorText(error: DivisiError): string {
  const [first = '', ...more] = error.message.split('\n');
  const lines = [`divisi: ${first} [${error.code}]`, ...more.map((line) => `  ${line}`)];
  if (error.expected !== undefined) lines.push(`  expected: ${error.expected}`);
  lines.push(`  ${error.next}`);
  return `${lines.map(flattenEnd).join('\n')}\n`;
}

/** Keeps the indent; removes control characters from the rest. */
function flattenEnd(line: string): string {
  const indent = line.length - line.trimStart().length;
  return line.slice(0, indent) + flatten(line);
}
