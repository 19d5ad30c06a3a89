/**
 * Hopeless error: finds what no further call of the client can fix while the client still calls its model: a rejected key, a context
 * that is full again after each compaction, a runaway. The driver then ends the turn instead of paying for more calls.
 */
import type { Entry } from '../dialects/entry.ts';
import type { Turn, TurnFailure } from './driver.ts';
import { errorLine } from './failure-message.ts';
import { runaway, runawayMessage } from './runaway.ts';
import { classify, type FailureRow } from './profiles/failure-row.ts';

export interface HopelessError {
  take(entry: HopelessEntry): void;
  /** The error that ended the turn; undefined if there was none. */
  found(): (TurnFailure & { readonly message: string }) | undefined;
}

type HopelessEntry = Pick<Entry, 'kind'> & { readonly text?: string; readonly error?: string };

/** A client may compact the conversation once or twice and go on. */
const mostOverflows = 3;

/** `onFound` is called once. */
export function hopelessError(failures: readonly FailureRow[], directory: string, onFound: () => void): HopelessError {
  let found: ReturnType<HopelessError['found']>;
  let overflows = 0;

  function end(failure: TurnFailure, message: string): void {
    if (found !== undefined) return;
    found = { ...failure, message: errorLine(message) };
    onFound();
  }

  const watch = runaway(directory, () => end({ cause: 'limit' }, runawayMessage));
  return {
    take({ kind, text = '', error = text }) {
      void watch.take(kind);
      if (kind === 'tool' || kind === 'tool-ended') overflows = 0;
      if (kind !== 'waits' && kind !== 'error') return;
      const failure = classify(failures, { text: error }, Date.now());
      if (failure.cause === 'authentication' && kind === 'waits') end(failure, error);
      if (failure.cause !== 'context-full') return;
      overflows += 1;
      if (overflows === mostOverflows)
        end(failure, `${error}; its client compacted the conversation and met the limit again`);
    },
    found: () => found,
  };
}

export function hopelessTurn(error: NonNullable<ReturnType<HopelessError['found']>>, said: string): Turn {
  return { end: 'failed', ...error, said };
}
