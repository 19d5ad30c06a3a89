/** Status: the four canonical statuses, and the aliases other conventions use. */
import type { WireFormat } from './wire/raw.ts';

export const statuses = ['completed', 'partial', 'failed', 'blocked'] as const;
export type Status = (typeof statuses)[number];

const aliases: Readonly<Record<string, Status>> = {
  done: 'completed',
  success: 'completed',
  timeout: 'partial',
  failure: 'failed',
  error: 'failed',
};

/** The aliases each format accepts; in any other format, an alias is read and recorded as a deviation. */
const usualAliases: Readonly<Record<WireFormat, readonly string[]>> = {
  report: ['done'],
  json: [],
  block: ['done', 'success'],
  line: ['done', 'success', 'timeout'],
};

/** The word for completed work in each format; the other statuses have one word everywhere. */
const completedWords: Readonly<Record<WireFormat, string>> = {
  report: 'done',
  json: 'completed',
  block: 'completed',
  line: 'success',
};

export function statusWord(status: Status, wireFormat: WireFormat): string {
  return status === 'completed' ? completedWords[wireFormat] : status;
}

export interface ReadStatus {
  readonly status: Status;
  readonly foreign: boolean;
}

export function readStatus(word: string, wireFormat: WireFormat): ReadStatus | undefined {
  const lower = word.toLowerCase();
  const status = statuses.find((known) => known === lower);
  if (status !== undefined) return { status, foreign: status !== word };
  const alias = Object.hasOwn(aliases, lower) ? aliases[lower] : undefined;
  if (alias === undefined) return undefined;
  return { status: alias, foreign: !usualAliases[wireFormat].includes(word) };
}

/** Partial work resumes from its state, blocked work once the blocker is gone; failed work starts over. */
export function isResumable(status: Status): boolean {
  return status === 'partial' || status === 'blocked';
}
