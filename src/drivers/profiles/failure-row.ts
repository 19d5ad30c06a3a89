/**
 * Classifies a program's error by rows of data. Only errors of the program are matched, never the agent's words: an agent may
 * write about rate limits.
 */
import type { ClientError } from '../../dialects/entry.ts';
import type { TurnFailure } from '../driver.ts';
import { retryTime } from '../retry-time.ts';
import { tryAgainTime } from '../try-again-time.ts';

export interface FailureRow {
  readonly match: RegExp;
  readonly cause: 'quota' | 'environment' | 'authentication' | 'context-full' | 'refusal' | 'no-answer' | 'exit';
}

/** An error that matches no row is a failure of the task. */
export function classify(rows: readonly FailureRow[], { text, until }: ClientError, now: number): TurnFailure {
  const cause = rows.find(({ match }) => match.test(text))?.cause ?? 'exit';
  if (cause !== 'quota') return { cause };
  const time = plausible(until, now) ?? retryTime(text, now) ?? tryAgainTime(text, now);
  return time === undefined ? { cause } : { cause, until: time };
}

const furthest = 8 * 24 * 3_600_000;

/** The longest limits last a week. */
function plausible(until: number | undefined, now: number): number | undefined {
  return until !== undefined && until >= now && until <= now + furthest ? until : undefined;
}
