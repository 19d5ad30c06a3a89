/** `tutti contract prompt NAME` */
import { type PromptOptions, promptSuffix } from '../contracts/prompt.ts';
import { findContract } from '../contracts/registry.ts';
import { loadContracts } from '../workspace/own-contracts.ts';
import { type Answer, exitCodes } from './output.ts';

export async function contractPrompt(project: string, name: string, options: PromptOptions): Promise<Answer> {
  const contract = findContract(await loadContracts(project), name);
  const prompt = promptSuffix(contract, options);
  return { code: exitCodes.valid, json: { contract: contract.name, prompt }, text: prompt };
}
