/** The JSON Schemas the package ships, by file name. `npm run schemas` writes them, a pin compares them. */
import {
  builtInContracts,
  contractSchema,
  eventSchema,
  jsonSchemaOf,
  type JsonSchema,
  assignmentSchema,
  resultJsonSchema,
  worklogLineSchema,
} from '../src/index.ts';

export function shippedSchemas(): ReadonlyMap<string, JsonSchema> {
  return new Map<string, JsonSchema>([
    ['result.json', resultJsonSchema()],
    ['event.json', jsonSchemaOf('event', eventSchema())],
    ['assignment.json', jsonSchemaOf('assignment', assignmentSchema)],
    ['worklog-line.json', jsonSchemaOf('worklog-line', worklogLineSchema)],
    ...builtInContracts.map((contract): [string, JsonSchema] => [
      `contract-${contract.name}.json`,
      contractSchema(contract),
    ]),
  ]);
}

export function schemaText(schema: JsonSchema): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
