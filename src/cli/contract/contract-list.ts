/** `divisi contract list` */
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
