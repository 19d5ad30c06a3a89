/** The JSON Schema given to an agent describes exactly what reading accepts. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaFaults } from '../../../tests/support/json-schema.ts';
import type { Contract } from '../contract.ts';
import { contractSchema, resultJsonSchema } from './json-schema.ts';
import { readOwnContract } from '../own/own-contract.ts';
import { pathFault } from '../../base/paths.ts';
import { printValues } from './print.ts';
import { read } from '../read/read.ts';
import { builtInContracts } from '../registry.ts';

type Json = Record<string, unknown>;

const asJson = (contract: Contract): Contract => ({ ...contract, wireFormat: 'json' });
const example = (contract: Contract): Json => JSON.parse(printValues(asJson(contract), contract.example)) as Json;
const codes = (contract: Contract, value: unknown): string[] => {
  const reading = read(asJson(contract), JSON.stringify(value));
  return reading.ok ? [] : reading.violations.map(({ code, path }) => `${code} ${path}`);
};

describe.each(builtInContracts)('$name', (contract) => {
  const schema = contractSchema(contract);

  it('its example, as JSON, is valid and is read as the same values', () => {
    expect(schemaFaults(schema, example(contract))).toEqual([]);
    const reading = read(asJson(contract), printValues(asJson(contract), contract.example));
    expect(reading).toMatchObject({ ok: true, result: { contract: contract.name, deviations: [] } });
  });

  it('both miss each field that must be there, and none that may be left out', () => {
    for (const [name, field] of Object.entries(contract.fields)) {
      const { [name]: _, ...rest } = example(contract);
      const isMissing = schemaFaults(schema, rest).includes(`${name} is missing`);
      expect(isMissing, `field ${name}`).toBe(field.presence !== 'optional');
      expect(codes(contract, rest).includes(`missing ${name}`), `field ${name}`).toBe(isMissing);
    }
  });

  it('both refuse a value of another type', () => {
    for (const [name, field] of Object.entries(contract.fields)) {
      const wrong = { ...example(contract), [name]: field.type === 'list' ? [{ nested: [[]] }] : { nested: [[]] } };
      expect(schemaFaults(schema, wrong), `field ${name}`).not.toEqual([]);
      expect(codes(contract, wrong), `field ${name}`).not.toEqual([]);
    }
  });

  it('allows null for what may be none, and reading takes it', () => {
    const orNone = Object.entries(contract.fields).filter(
      ([, field]) => field.presence === 'or-none' && field.type !== 'list',
    );
    for (const [name] of orNone) {
      const value = { ...example(contract), [name]: null };
      expect(schemaFaults(schema, value), `field ${name}`).toEqual([]);
      expect(
        codes(contract, value).filter((code) => !code.startsWith('rule-broken')),
        `field ${name}`,
      ).toEqual([]);
    }
  });

  it('names every field with what it is about, and no key beside them', () => {
    const properties = schema['properties'] as Record<string, { description: string }>;
    expect(Object.entries(properties).map(([name, { description }]) => [name, description])).toEqual(
      Object.entries(contract.fields).map(([name, { about }]) => [name, about]),
    );
    expect(schemaFaults(schema, { ...example(contract), more: 1 })).toEqual(['more: is not expected']);
  });

  it('what it is read into is valid under the schema of results', () => {
    const reading = read(contract, printValues(contract, contract.example));
    expect(reading.ok).toBe(true);
    expect(schemaFaults(resultJsonSchema(), JSON.parse(JSON.stringify(reading.ok ? reading.result : null)))).toEqual(
      [],
    );
  });
});

describe('limits of single values', () => {
  const contract = readOwnContract(
    `name: all-types
purpose: have one field of every type
format: json
fields:
  words: { type: text, max_length: 5 }
  where: { type: path }
  how: { type: status, is: status }
  flag: { type: flag }
  count: { type: number, min: 1, max: 10, integer: true }
  ratio: { type: number }
  choice: { type: choice, of: [low, high] }
  phase: { type: progress }
  many: { type: list, of: number }
  inner: { type: record, fields: { deep: { type: text } } }
example:
  words: abc
  where: a.md
  how: completed
  flag: true
  count: 3
  ratio: 0.5
  choice: low
  phase: 1/2
  many: [1, 2]
  inner: { deep: x }
`,
    'all-types.yaml',
  );
  const schema = contractSchema(contract);

  it.each<[string, unknown, boolean]>([
    ['words', 'abcde', true],
    ['words', 'abcdef', false],
    ['words', '', false],
    ['where', 'a/b.md', true],
    ['where', '/a', false],
    ['where', '../a', false],
    ['how', 'partial', true],
    ['how', 'unsure', false],
    ['flag', false, true],
    ['flag', 'maybe', false],
    ['count', 10, true],
    ['count', 11, false],
    ['count', 0, false],
    ['count', 1.5, false],
    ['ratio', -1.5, true],
    ['ratio', 'much', false],
    ['choice', 'high', true],
    ['choice', 'middle', false],
    ['phase', '2/2', true],
    ['phase', 'two of three', false],
    ['many', [], true],
    ['many', ['x'], false],
    ['many', Array.from({ length: 1_001 }, () => 1), false],
    ['inner', { deep: 'y' }, true],
    ['inner', {}, false],
    ['inner', [], false],
  ])('%s: %j is accepted by both: %s', (name, value, accepted) => {
    const given = { ...example(contract), [name]: value };
    expect(schemaFaults(schema, given).length === 0).toBe(accepted);
    expect(codes(contract, given).length === 0).toBe(accepted);
  });

  const { where = {} } = (schema['properties'] ?? {}) as Record<string, Json>;

  it.each([
    '',
    '/a',
    '\\a',
    '~',
    '~/a',
    'C:',
    'c:\\a',
    'https://a',
    '..',
    '../a',
    'a/..',
    'a/../b',
    'a\\..\\b',
    './..',
  ])('the path %j is refused by both', (path) => {
    expect(schemaFaults(where, path)).not.toEqual([]);
    expect(pathFault(path)).toBeDefined();
  });

  it('a path that reading takes is valid, whatever it looks like', () => {
    const part = fc.constantFrom('a', '.', '..', '...', '/', '\\', '~', 'C:', ':', ' b', 'é🎻', 'x.md', '-');
    const path = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(path, (text) => {
        fc.pre(pathFault(text) === undefined);
        return schemaFaults(where, text).length === 0;
      }),
      { numRuns: 2_000 },
    );
  });
});
