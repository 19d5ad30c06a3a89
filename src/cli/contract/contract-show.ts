/** `divisi contract list`, `show` and `prompt`: print the contracts of a project, one of them, or its part of a prompt. */
import { divisiError } from '../../base/error.ts';
import { pathFault } from '../../base/paths.ts';
import { findContract } from '../../contracts/registry.ts';
import { contractSchema } from '../../contracts/write/json-schema.ts';
import { printValues } from '../../contracts/write/print.ts';
import { describeContract, type PromptOptions, promptSuffix } from '../../contracts/write/prompt.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';
import { type Answer, exitCodes } from '../output.ts';

export async function contractList(project: string): Promise<Answer> {
  const rows = [...(await loadContracts(project)).values()].map(({ name, version, wireFormat, purpose }) => ({
    name,
    version,
    wireFormat,
    purpose,
  }));
  const width = Math.max(...rows.map(({ name }) => name.length));
  const text = rows.map(
    ({ name, wireFormat, purpose }) => `${name.padEnd(width)}  ${wireFormat.padEnd(6)}  ${purpose}`,
  );
  return { code: exitCodes.valid, json: rows, text: text.join('\n') };
}

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

function checkReportPath(path: string | undefined): void {
  if (path === undefined || pathFault(path) === undefined) return;
  throw divisiError('USAGE', {
    message: `--report-path ${path} is not inside the project`,
    expected: 'a path relative to the project root, without ..',
    got: path,
    next: 'Name a path inside the project: it is the only one a report is taken from.',
  });
}

export async function contractPrompt(project: string, name: string, options: PromptOptions): Promise<Answer> {
  checkReportPath(options.reportPath);
  const contract = findContract(await loadContracts(project), name);
  const prompt = promptSuffix(contract, options);
  return { code: exitCodes.valid, json: { contract: contract.name, prompt }, text: prompt };
}
