/** JSON value: reads unknown JSON without throwing. A value of an unexpected type is read as absent. */

export type JsonObject = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The object that a JSON text holds; empty for any other text. */
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

export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value at the end of a path of keys and indexes. */
export function valueAt(value: unknown, ...path: Path): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<string | number, unknown>)[key];
  }
  return inner;
}

/** The text or number at a path, as text; empty for anything else. */
export function textAt(value: unknown, ...path: Path): string {
  const inner = valueAt(value, ...path);
  return typeof inner === 'number' ? String(inner) : textOrEmpty(inner);
}

export function numberAt(value: unknown, ...path: Path): number | undefined {
  return numberOf(valueAt(value, ...path));
}

export function listAt(value: unknown, ...path: Path): readonly unknown[] {
  return listOf(valueAt(value, ...path));
}

/** Merges two objects deeply; `above` wins. */
export function layOver(below: JsonObject, above: JsonObject): JsonObject {
  const entries = Object.entries(above).map(([key, value]) => {
    return [key, isObject(value) ? layOver(objectOf(below[key]), value) : value];
  });
  return { ...below, ...(Object.fromEntries(entries) as JsonObject) };
}
