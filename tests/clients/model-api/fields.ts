/** Reading the bodies of requests, of which nothing is certain. */
import type { JsonObject } from './script.ts';

export function object(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}

export function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** All text in what may be a string, a part, or a list of parts. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  const { text, content, output } = object(value);
  return textOf(text ?? content ?? output ?? '');
}
