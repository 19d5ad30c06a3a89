import { expect, it } from 'vitest';
import { driverTask } from '../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { contractsByName, findContract } from '../contracts/registry.ts';
import type { ReturnWay } from '../contracts/return-way.ts';
import { readReturn } from './take-return.ts';

const folder = temporaryFolders();
const contract = findContract(contractsByName(), 'wave-review');

const asJson = JSON.stringify({ priority: 'LOW', action: 'rename-helper', path: 'r.md' });
const asLine = 'LOW|rename-helper|r.md';
const fenced = `\`\`\`json\n${asJson}\n\`\`\``;

/** What was not quite as it had been asked for. */
async function deviations(by: ReturnWay | undefined, text: string): Promise<string[]> {
  const project = folder({ 'r.md': '# Seen\n' });
  const reader = { project, contract, task: driverTask(project), ...(by === undefined ? {} : { by }) };
  const { reading } = await readReturn(reader, text);
  return reading.ok ? reading.result.deviations.map(({ code }) => code) : reading.violations.map(({ code }) => code);
}

it.each<[ReturnWay | undefined, string, string[]]>([
  ['tool', asJson, []],
  ['schema', ` ${asJson}`, []],
  [undefined, asJson, []],
  ['message', asJson, ['wire-format']],
  ['message', asLine, []],
  ['tool', asLine, []],
  ['tool', fenced, ['fence-around', 'wire-format']],
])('asked by %s, %j deviates by %j', async (by, text, codes) => {
  expect(await deviations(by, text)).toEqual(codes);
});
