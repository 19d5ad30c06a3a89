import { describe, expect, it } from 'vitest';
import { contractSchema, type JsonSchema } from '../../contracts/write/json-schema.ts';
import { builtInContracts } from '../../contracts/registry.ts';
import { strictSchema } from './strict-schema.ts';

describe('strictSchema', () => {
  it('requires everything, lets null stand for what may be left out, and keeps only what is known there', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'a',
      description: 'what it is for',
      type: 'object',
      properties: {
        name: { description: 'its name', type: 'string', minLength: 1, maxLength: 5, pattern: '^(?!x)' },
        size: { description: 'how large', type: 'integer', minimum: 0 },
        kind: { type: 'string', enum: ['a', 'b'] },
        note: { description: 'or none', anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
        more: {
          type: 'array',
          maxItems: 3,
          items: { type: 'object', properties: { x: { type: 'number' } }, additionalProperties: false },
        },
      },
      required: ['name'],
      additionalProperties: false,
    };
    expect(strictSchema(schema)).toEqual({
      description: 'what it is for',
      type: 'object',
      properties: {
        name: { description: 'its name', type: 'string' },
        size: { description: 'how large', anyOf: [{ type: 'integer' }, { type: 'null' }] },
        kind: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
        note: { description: 'or none', anyOf: [{ type: 'string' }, { type: 'null' }] },
        more: {
          anyOf: [
            {
              type: 'array',
              items: {
                type: 'object',
                properties: { x: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
                required: ['x'],
                additionalProperties: false,
              },
            },
            { type: 'null' },
          ],
        },
      },
      required: ['name', 'size', 'kind', 'note', 'more'],
      additionalProperties: false,
    });
  });

  it.each<[string, JsonSchema]>([
    ['an object that takes anything', { type: 'object' }],
    ['an object that may have more', { type: 'object', properties: {} }],
    ['no object', { type: 'string' }],
    ['a reference', { type: 'object', properties: { a: { $ref: '#/x' } }, additionalProperties: false }],
    ['a list of anything', { type: 'object', properties: { a: { type: 'array' } }, additionalProperties: false }],
    ['one of', { type: 'object', properties: { a: { oneOf: [] } }, additionalProperties: false }],
    ['an open object inside', { type: 'object', properties: { a: { type: 'object' } }, additionalProperties: false }],
  ])('has no way to say: %s', (_, schema) => {
    expect(strictSchema(schema)).toBeNull();
  });

  it.each(builtInContracts.map((contract) => [contract.name, contract] as const))(
    'can say what %s asks for',
    (_, contract) => {
      const schema = strictSchema(contractSchema(contract));
      expect(schema).toMatchObject({ type: 'object', required: Object.keys(contract.fields) });
      expect(JSON.stringify(schema)).not.toMatch(
        /"(?:minLength|maxLength|pattern|maxItems|minimum|\$schema|title)":[^{]/,
      );
    },
  );
});
