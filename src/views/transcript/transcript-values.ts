/** Transcript values: texts, times and JSON from the messages of a client, whose shape is not known. */
import { textAt, valueAt } from '../../base/json-value.ts';

/** The text of a string, a block, or a list of either. */
export function textIn(value: unknown, depth = 6): string {
  if (typeof value === 'string') return value;
  if (depth === 0) return '';
  if (Array.isArray(value)) {
    const texts = value.map((one) => textIn(one, depth - 1));
    return texts.filter((text) => text !== '').join('\n');
  }
  return textAt(value, 'text') || textIn(valueAt(value, 'content') ?? '', depth - 1);
}

/** As JSON; empty for a value that is nested too deeply to serialize. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** The first line that is not blank. */
export function firstLine(text: string): string {
  return /\S[^\r\n]*/.exec(text)?.[0].trimEnd() ?? '';
}

/** Milliseconds, from a number or an ISO 8601 text; undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}
