/**
 * How a program says that it cannot go on, as rows of data. Only what a program says as an error is held against them, never
 * what its agent says: an agent may well write about rate limits.
 */
import type { ClientError } from '../../dialects/entry.ts';
import type { TurnFailure } from '../driver.ts';
import { retryTime } from '../retry-time.ts';
import { tryAgainTime } from '../try-again-time.ts';

export interface FailureRow {
  readonly match: RegExp;
  readonly cause: 'quota' | 'environment' | 'exit';
}

/** What nothing matches is a failure of the task. */
export function classify(rows: readonly FailureRow[], { text, until }: ClientError, now: number): TurnFailure {
  const cause = rows.find(({ match }) => match.test(text))?.cause ?? 'exit';
  if (cause !== 'quota') return { cause };
  const time = plausible(until, now) ?? retryTime(text, now) ?? tryAgainTime(text, now);
  return time === undefined ? { cause } : { cause, until: time };
}

const furthest = 8 * 24 * 3_600_000;

/** Limits of a week are the longest there are. */
function plausible(until: number | undefined, now: number): number | undefined {
  return until !== undefined && until >= now && until <= now + furthest ? until : undefined;
}
