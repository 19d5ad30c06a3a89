/**
 * Converts a schema to the form OpenAI's structured outputs accept: every property required, no additional ones, few keywords.
 * An optional property becomes nullable, which reading a contract treats as absent. Lengths and patterns are dropped: the
 * contract checks them afterwards. Pure.
 */
import { isObject } from '../../base/json-value.ts';
import { defined } from '../../base/defined.ts';
import type { JsonSchema } from '../../contracts/write/json-schema.ts';

const kept = ['description', 'type', 'enum', 'const'] as const;
/** Their meaning would be lost. */
const inexpressible = ['allOf', 'oneOf', 'not', 'if', '$ref', 'patternProperties', 'prefixItems'];

/** Null for a schema that cannot be converted: it is checked only afterwards. */
export function strictSchema(schema: JsonSchema): JsonSchema | null {
  return schema['type'] === 'object' ? strict(schema) : null;
}

function strict(schema: unknown): JsonSchema | null {
  if (!isObject(schema) || inexpressible.some((word) => Object.hasOwn(schema, word))) return null;
  const plain = Object.fromEntries(
    kept.filter((word) => Object.hasOwn(schema, word)).map((word) => [word, schema[word]]),
  );
  if (schema['anyOf'] !== undefined) {
    const anyOf = all(schema['anyOf']);
    return anyOf === null ? null : { ...plain, anyOf };
  }
  if (schema['type'] === 'object') return strictObject(schema, plain);
  if (schema['type'] !== 'array') return plain;
  const items = strict(schema['items']);
  return items === null ? null : { ...plain, items };
}

function strictObject(schema: JsonSchema, plain: JsonSchema): JsonSchema | null {
  const { properties, required, additionalProperties } = schema;
  // An object that accepts anything would become one that accepts nothing.
  if (!isObject(properties) || additionalProperties !== false) return null;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(properties);
  const made = all(names.map((name) => properties[name]));
  if (made === null) return null;
  const entries = names.map((name, at) => [name, needed.has(name) ? made[at] : orNull(made[at] ?? {})]);
  return { ...plain, properties: Object.fromEntries(entries), required: names, additionalProperties: false };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  const anyOf = Array.isArray(rest['anyOf']) ? (rest['anyOf'] as JsonSchema[]) : [rest];
  const isThere = anyOf.some(({ type }) => type === 'null');
  return {
    ...defined({ description }),
    anyOf: isThere ? anyOf : [...anyOf, { type: 'null' }],
  };
}

function all(schemas: unknown): JsonSchema[] | null {
  const made = Array.isArray(schemas) ? schemas.map(strict) : [null];
  return made.every((one) => one !== null) ? made : null;
}
