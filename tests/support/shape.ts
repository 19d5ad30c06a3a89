/**
 * The structure of a JSON value without its content: a record keeps its keys, a list the shapes that occur in it, and
 * anything else its type. `literals` names the keys whose value is part of the structure, such as `ok`.
 */
export function shapeOf(value: unknown, literals: readonly string[] = ['ok']): unknown {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    const shapes = new Map(value.map((item) => [JSON.stringify(shapeOf(item, literals)), shapeOf(item, literals)]));
    return [...shapes.values()];
  }
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, literals.includes(key) ? item : shapeOf(item, literals)]),
  );
}
