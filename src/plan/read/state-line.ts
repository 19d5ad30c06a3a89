/** The word for the state of a whole plan in its text: `**Status**: inprogress`. */
import type { Span } from '../markdown/span.ts';

const word =
  /^(?:planning|planned|draft|ready|approved|pending|active|running|in[ _-]?progress|paused|completed?|done|failed|cancelled|canceled)(?![A-Za-z])/i;

/** The word itself where it is one of the usual ones, otherwise everything that is said. */
export function stateSpan(text: string, { at, end }: Span): Span {
  const lead = /^[`*_"']{0,3}/.exec(text.slice(at, end))?.[0].length ?? 0;
  const found = word.exec(text.slice(at + lead, Math.min(end, at + lead + 20)))?.[0];
  return found === undefined ? { at, end } : { at: at + lead, end: at + lead + found.length };
}
