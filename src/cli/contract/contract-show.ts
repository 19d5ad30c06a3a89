/** `divisi contract show NAME` */
import { contractSchema } from '../../contracts/write/json-schema.ts';
import { printValues } from '../../contracts/write/print.ts';
import { describeContract } from '../../contracts/write/prompt.ts';
import { findContract } from '../../contracts/registry.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';
import { type Answer, exitCodes } from '../output.ts';

export async function contractShow(project: string, name: string, jsonSchema: boolean): Promise<Answer> {
  const contract = findContract(await loadContracts(project), name);
  if (jsonSchema) {
    const schema = contractSchema(contract);
    return { code: exitCodes.valid, json: schema, text: JSON.stringify(schema, null, 2) };
  }
  const actions = contract.actions.map(({ when, action }) => `- ${action} when ${JSON.stringify(when)}`);
  const text = [
    `${contract.name}, version ${contract.version}, ${contract.wireFormat} format: ${contract.purpose}`,
    '',
    ...describeContract(contract),
    ...(actions.length === 0 ? [] : ['', 'What follows from it:', ...actions]),
    '',
    'Example:',
    '',
    printValues(contract, contract.example),
  ];
  return { code: exitCodes.valid, json: contract, text: text.join('\n') };
}
