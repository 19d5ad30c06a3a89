/**
 * Writes one message as one line of a transcript. Redacts before it cuts: half a secret no longer looks like one. A secret spread
 * over several messages is found only where they are joined again.
 */
import { redact } from '../../base/redact.ts';

export const longestTranscriptLine = 64 * 1024;
/** Longer strings are shortened first, to keep the message readable. */
const longestString = 4 * 1024;
/** Longer messages are not parsed. */
const worthParsing = 1024 * 1024;
/** Longer than any secret of bounded length. */
const lookAhead = 4 * 1024;

export type Direction = 'to' | 'from';

/** A string is a line as received, JSON or not; any other value is a message. */
export function transcriptLine(at: number, direction: Direction, message: unknown): string {
  const isText = typeof message === 'string';
  const text = isText ? message : toJson(message);
  if (text.length > worthParsing)
    return cutLine(at, direction, redact(text.slice(0, longestTranscriptLine + lookAhead)).text, text);
  const { text: clean, kinds } = redact(text);
  // An object without secrets is JSON already.
  const value = isText || kinds.length > 0 || clean.length > longestTranscriptLine ? reparse(clean) : { json: clean };
  const line =
    value === null ? JSON.stringify({ at, [direction]: clean }) : `{"at":${at},"${direction}":${value.json}}`;
  return line.length > longestTranscriptLine ? cutLine(at, direction, clean, text) : line;
}

function toJson(message: unknown): string {
  try {
    return JSON.stringify(message) ?? 'null';
  } catch {
    return '"nested too deeply to be written"';
  }
}

/** As JSON on one line, with long strings shortened if it is too long; null if it is not JSON. */
function reparse(text: string): { readonly json: string } | null {
  try {
    const value: unknown = JSON.parse(text);
    return { json: text.length > longestTranscriptLine ? JSON.stringify(value, shorten) : JSON.stringify(value) };
  } catch {
    return null;
  }
}

function shorten(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= longestString) return value;
  return `${value.slice(0, longestString).toWellFormed()}… (${value.length - longestString} characters cut)`;
}

/** Keeps the beginning, as text. Half of the room is left for escapes. */
function cutLine(at: number, direction: Direction, clean: string, whole: string): string {
  const line = JSON.stringify({
    at,
    [direction]: clean.slice(0, longestTranscriptLine / 2).toWellFormed(),
    note: `cut: ${whole.length} characters in all`,
  });
  if (line.length <= longestTranscriptLine) return line;
  return JSON.stringify({ at, [direction]: '', note: `not kept: ${whole.length} characters` });
}
