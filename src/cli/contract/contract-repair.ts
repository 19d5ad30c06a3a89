/** `divisi contract repair NAME [FILE|-]` */
import { repairMessage } from '../../contracts/write/prompt.ts';
import { type Answer, exitCodes } from '../output.ts';
import { readReturn, type ReturnOptions } from './read-return.ts';

export async function contractRepair(
  project: string,
  name: string,
  file: string,
  options: ReturnOptions,
): Promise<Answer> {
  const { contract, reading } = await readReturn(project, name, file, options);
  if (reading.ok) {
    return {
      code: exitCodes.valid,
      json: { ok: true, contract: contract.name },
      text: 'valid: there is nothing to repair',
    };
  }
  const message = repairMessage(contract, reading.violations);
  const json = { ok: false, contract: contract.name, violations: reading.violations, message };
  return { code: exitCodes.violations, json, text: message };
}
