/**
 * One message as one line of a transcript. Secrets are redacted before anything is cut, so that no half of one is left that
 * nobody recognises. What a client sends in pieces is redacted piece by piece: a secret that is spread over several messages
 * is found only where they are put together again.
 */
import { redact } from '../../base/redact.ts';

export const longestLine = 64 * 1024;
/** Strings that are longer are shortened first: what a message is about stays readable. */
const longestString = 4 * 1024;
/** Beyond this a message is not taken apart any more. */
const worthParsing = 1024 * 1024;
/** Longer than any secret that has an end. */
const lookAhead = 4 * 1024;

export type Direction = 'to' | 'from';

/** A string is a line as it was on the wire, whether or not it is JSON; anything else a message. */
export function transcriptLine(at: number, direction: Direction, message: unknown): string {
  const isText = typeof message === 'string';
  const text = isText ? message : written(message);
  if (text.length > worthParsing)
    return cutLine(at, direction, redact(text.slice(0, longestLine + lookAhead)).text, text);
  const { text: clean, kinds } = redact(text);
  // A message without secrets that was an object is JSON by birth.
  const value = isText || kinds.length > 0 || clean.length > longestLine ? parsed(clean) : { json: clean };
  const line =
    value === null ? JSON.stringify({ at, [direction]: clean }) : `{"at":${at},"${direction}":${value.json}}`;
  return line.length > longestLine ? cutLine(at, direction, clean, text) : line;
}

function written(message: unknown): string {
  try {
    return JSON.stringify(message) ?? 'null';
  } catch {
    return '"nested too deeply to be written"';
  }
}

/** In JSON of one line, its long strings shortened where the whole is too long; null for what is no JSON. */
function parsed(text: string): { readonly json: string } | null {
  try {
    const value: unknown = JSON.parse(text);
    return { json: text.length > longestLine ? JSON.stringify(value, shortened) : JSON.stringify(value) };
  } catch {
    return null;
  }
}

function shortened(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= longestString) return value;
  return `${value.slice(0, longestString).toWellFormed()}… (${value.length - longestString} characters cut)`;
}

/** Its beginning, as text. Escapes may double it, and more: half of the room is for them. */
function cutLine(at: number, direction: Direction, clean: string, whole: string): string {
  const line = JSON.stringify({
    at,
    [direction]: clean.slice(0, longestLine / 2).toWellFormed(),
    note: `cut: ${whole.length} characters in all`,
  });
  if (line.length <= longestLine) return line;
  return JSON.stringify({ at, [direction]: '', note: `not kept: ${whole.length} characters` });
}
