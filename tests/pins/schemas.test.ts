/** The JSON Schemas in `schemas/`, which others build on, are the ones the code has. */
import { describe, expect, it } from 'vitest';
import { schemaText, shippedSchemas } from '../../tools/schemas.ts';
import { repositoryFile, repositoryFolder } from '../support/repository.ts';

const shipped = shippedSchemas();
const hint = 'the schemas have changed: run `npm run schemas`, and look at the difference, because others build on them';

describe('the shipped JSON Schemas', () => {
  it('are these files', () => {
    expect(repositoryFolder('schemas'), hint).toEqual([...shipped.keys()].toSorted());
  });

  it.each([...shipped])('%s', (name, schema) => {
    expect(repositoryFile(`schemas/${name}`), hint).toBe(schemaText(schema));
  });
});
