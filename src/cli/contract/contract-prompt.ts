/** `divisi contract prompt NAME` */
import { divisiError } from '../../base/error.ts';
import { pathFault } from '../../base/paths.ts';
import { type PromptOptions, promptSuffix } from '../../contracts/write/prompt.ts';
import { findContract } from '../../contracts/registry.ts';
import { loadContracts } from '../../workspace/own-contracts.ts';
import { type Answer, exitCodes } from '../output.ts';

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
