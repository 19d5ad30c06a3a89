/** Each keyword must be able to refuse, or "valid" means nothing in the tests above. */
import { describe, expect, it } from 'vitest';
import { schemaFaults } from './json-schema.ts';

describe('each keyword', () => {
  it.each([
    [{ type: 'string' }, 'a', 1],
    [{ type: 'integer' }, 1, 1.5],
    [{ type: 'number' }, 1.5, '1.5'],
    [{ type: 'boolean' }, false, 'false'],
    [{ type: 'null' }, null, undefined],
    [{ type: 'array' }, [], {}],
    [{ type: 'object' }, {}, []],
    [{ type: 'object' }, {}, null],
    [{ const: 1 }, 1, 2],
    [{ enum: ['a', 'b'] }, 'b', 'c'],
    [{ pattern: '^a$' }, 'a', 'ab'],
    [{ minLength: 1 }, 'a', ''],
    [{ maxLength: 2 }, '🎻🎻', 'abc'],
    [{ minItems: 1 }, [1], []],
    [{ maxItems: 1 }, [1], [1, 2]],
    [{ minimum: 1 }, 1, 0],
    [{ maximum: 1 }, 1, 2],
    [{ exclusiveMinimum: 0 }, 1, 0],
    [{ items: { type: 'string' } }, ['a'], ['a', 1]],
    [{ required: ['a'] }, { a: 1 }, { b: 1 }],
    [{ properties: { a: { type: 'string' } } }, { a: 'x', b: 1 }, { a: 1 }],
    [{ properties: { a: {} }, additionalProperties: false }, { a: 1 }, { a: 1, b: 2 }],
    [{ additionalProperties: { type: 'number' } }, { a: 1 }, { a: 'x' }],
    [{ propertyNames: { pattern: '^a' } }, { ab: 1 }, { b: 1 }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null, 1],
  ])('%j', (schema, valid, invalid) => {
    expect(schemaFaults(schema, valid)).toEqual([]);
    expect(schemaFaults(schema, invalid)).not.toEqual([]);
  });

  it('one that is not known is refused', () => {
    expect(() => schemaFaults({ oneOf: [] }, 1)).toThrow('oneOf');
    expect(() => schemaFaults({ toString: 1 }, 1)).toThrow('toString');
  });

  it('says where', () => {
    const schema = { properties: { list: { items: { type: 'string' } } } };
    expect(schemaFaults(schema, { list: ['a', 2] })).toEqual(['list: 1: not of type string']);
  });
});
