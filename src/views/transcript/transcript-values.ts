/** Looking into messages of which nothing is known: every question has an answer, if only that there is nothing. */

/** What is found by these names, one inside the other. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string | number, unknown>)[name];
  }
  return found;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : '';
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The text in what may be a text, a block with one, or a list of either; not deeper than anyone nests them. */
export function textIn(value: unknown, depth = 6): string {
  if (typeof value === 'string') return value;
  if (depth === 0) return '';
  if (Array.isArray(value)) {
    const texts = value.map((one) => textIn(one, depth - 1));
    return texts.filter((text) => text !== '').join('\n');
  }
  return textAt(value, 'text') || (at(value, 'content') === undefined ? '' : textIn(at(value, 'content'), depth - 1));
}

/** As JSON; empty for what is nested too deeply to be written. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

/** The first line that says something. */
export function firstLine(text: string): string {
  return /\S[^\r\n]*/.exec(text)?.[0].trimEnd() ?? '';
}

/** Undefined for what is no time, in milliseconds or as ISO 8601. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}
