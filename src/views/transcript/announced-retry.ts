/** Announced retry: the notice of a retry after which a client has said nothing new. */
import { redactedLine } from '../../base/text.ts';
import { stderrWait } from '../../dialects/wait-text.ts';
import { transcriptReader } from './transcript-reader.ts';

const longest = 160;

/** Undefined if it is not waiting. Remarks of the client do not end a wait. */
export function announcedRetry(dialect: string, lines: readonly string[]): string | undefined {
  const entries = lines.flatMap(transcriptReader(dialect));
  const last = entries.findLast(({ kind }) => kind !== 'note' && kind !== 'usage');
  return last?.kind === 'waits' ? redactedLine(last.text, longest) : undefined;
}

/** By the end of its standard error, for a client that announces retries there. */
export function stderrRetry(stderr: string): string | undefined {
  const text = stderrWait(stderr);
  return text === undefined ? undefined : redactedLine(text, longest);
}
