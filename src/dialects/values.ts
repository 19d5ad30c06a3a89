/** Reads texts, times, counts and errors from a client's message, whose shape is unknown. */
import { textAt, valueAt } from '../base/json-value.ts';

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

/** Zero for anything that is not a possible count. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;
}

/** Every word, name and code of an error on one line, each once. */
export function errorWords(...values: readonly unknown[]): string {
  const words = values.filter((value) => typeof value === 'string' || typeof value === 'number').map(String);
  return joined(' · ', ...new Set(words));
}

/** Leaves out empty words. */
export function joined(separator: string, ...words: readonly string[]): string {
  return words.filter((word) => word.trim() !== '').join(separator);
}
