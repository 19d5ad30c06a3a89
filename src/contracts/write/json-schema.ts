/** JSON Schema: generates the schemas of the envelope and of each contract's return. */
import { defined } from '../../base/defined.ts';
import * as z from 'zod/mini';
import type { Contract } from '../contract.ts';
import type { Field, Fields, FieldType } from '../field.ts';
import { limits } from '../field.ts';
import { resultSchema } from '../result.ts';
import { statuses } from '../status.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const dialect = 'https://json-schema.org/draft/2020-12/schema';

function typeSchema(type: FieldType): JsonSchema {
  switch (type.type) {
    case 'text':
      return { type: 'string', minLength: 1, maxLength: type.maxLength ?? limits.text };
    case 'path':
      return {
        type: 'string',
        minLength: 1,
        maxLength: limits.path,
        pattern: '^(?![/\\\\~]|[A-Za-z]:|[A-Za-z][\\w+.-]*://)(?!(?:.*[/\\\\])?\\.\\.(?:[/\\\\]|$))',
      };
    case 'id':
      return { type: 'string', pattern: '^sess_\\d{8,12}_[0-9a-z]{6}$' };
    case 'status':
      return { type: 'string', enum: statuses };
    case 'flag':
      return { type: 'boolean' };
    case 'number': {
      const { min, max, integer } = type;
      return {
        type: integer === true ? 'integer' : 'number',
        ...defined({ minimum: min, maximum: max }),
      };
    }
    case 'choice':
      return { type: 'string', enum: type.of };
    case 'progress':
      return { type: 'string', pattern: '^\\d+/\\d+$' };
    case 'list':
      return { type: 'array', items: typeSchema(type.of), maxItems: limits.items };
    case 'record':
      return recordSchema(type.fields);
    default:
      return type satisfies never;
  }
}

function fieldSchema(field: Field): JsonSchema {
  const schema = typeSchema(field);
  const mayBeNull = field.presence === 'or-none' && field.type !== 'list';
  return mayBeNull
    ? { description: field.about, anyOf: [schema, { type: 'null' }] }
    : { description: field.about, ...schema };
}

function recordSchema(fields: Fields): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
    required: Object.keys(fields).filter((name) => fields[name]?.presence !== 'optional'),
    additionalProperties: false,
  };
}

/** The schema of a contract's return as JSON; also the input schema of the submit tool. */
export function contractSchema(contract: Contract): JsonSchema {
  return { $schema: dialect, title: contract.name, description: contract.purpose, ...recordSchema(contract.fields) };
}

/** The input side of a schema: values with defaults are optional. */
export function jsonSchemaOf(title: string, schema: z.ZodMiniType): JsonSchema {
  return { title, ...z.toJSONSchema(schema, { io: 'input' }) };
}

export function resultJsonSchema(): JsonSchema {
  return jsonSchemaOf('result', resultSchema);
}
