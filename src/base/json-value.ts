/** Reading JSON that a program wrote: whatever is not what it should be is not there. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The object that a text holds. What is no JSON is not understood by the program it is for either. */
export function objectIn(text: string | undefined): JsonObject {
  try {
    return text === undefined ? {} : objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value at the end of a path of keys. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((inner, key) => objectOf(inner)[key], value);
}

/** Both, and where both have a value, the one above; inside of objects the same. */
export function layOver(below: JsonObject, above: JsonObject): JsonObject {
  const entries = Object.entries(above).map(([key, value]) => {
    const isInner = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [key, isInner ? layOver(objectOf(below[key]), objectOf(value)) : value];
  });
  return { ...below, ...(Object.fromEntries(entries) as JsonObject) };
}
