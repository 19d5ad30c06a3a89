/** The JSON Schemas in `schemas/`, which others build on, are the ones the code has. */
import { describe, expect, it } from 'vitest';
import { schemaText, shippedSchemas } from '../../tools/schemas.ts';
import { schemaFaults } from '../support/json-schema.ts';
import { repositoryFile, repositoryFolder } from '../support/repository.ts';
import { sampleLine, sampleAssignment, sampleResult } from '../support/samples.ts';

const shipped = shippedSchemas();
const hint = 'run `npm run schemas`, and look at the difference: others build on these schemas';

describe('the shipped JSON Schemas', () => {
  it('are these files', () => {
    expect(repositoryFolder('schemas'), `the schemas have changed: ${hint}`).toEqual([...shipped.keys()].toSorted());
  });

  it.each([...shipped])('%s', (name, schema) => {
    expect(repositoryFile(`schemas/${name}`), `the schemas have changed: ${hint}`).toBe(schemaText(schema));
  });
});

describe('a schema accepts what the code accepts', () => {
  it.each<[string, unknown, unknown]>([
    ['assignment.json', sampleAssignment(), sampleAssignment({ timeout: 0 })],
    ['worklog-line.json', sampleLine(), { ...sampleLine(), time: 'yesterday' }],
    ['result.json', sampleResult(), { ...sampleResult(), status: 'done' }],
  ])('%s', (name, valid, invalid) => {
    const schema = shipped.get(name) ?? {};
    expect(schemaFaults(schema, valid)).toEqual([]);
    expect(schemaFaults(schema, invalid)).not.toEqual([]);
  });

  it('assignment.json lets out what has a default', () => {
    const task = { id: '1', description: 'd', report_path: 'r.md' };
    expect(schemaFaults(shipped.get('assignment.json') ?? {}, sampleAssignment({ task }))).toEqual([]);
  });
});
