import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { contractsByName, findContract } from '../contracts/registry.ts';
import { delegationIdSchema } from '../base/ids.ts';
import type { ReturnWay } from '../contracts/return-way.ts';
import { type Collected, readReturn } from './take-return.ts';

const folder = temporaryFolders();
const reportPath = '.divisi/runs/r/reports/review.md';
const delegation = delegationIdSchema.parse('sess_1700000000_aaaaaa');

async function readAs(by: ReturnWay | undefined, directory: string, result: object): Promise<Collected> {
  const contract = findContract(contractsByName(), 'wave-review');
  const task = { run: 'run_20260101_000000_aaaaaa', delegation, task: 'wave-1:review', directory, reportPath };
  return readReturn({ project: folder(), contract, ...(by && { by }), task }, JSON.stringify(result));
}

const verdict = { priority: 'LOW', action: 'nothing-to-do' };
const inReport = (directory: string): string => readFileSync(join(directory, reportPath), 'utf8');

it.each(['tool-report', undefined] as const)('the text becomes the file of the report (%s)', async (by) => {
  const directory = folder();
  const { reading } = await readAs(by, directory, { ...verdict, report_text: '# Review\n\nAll is well.' });
  expect(reading).toMatchObject({ ok: true, result: { artifacts: [{ type: 'report', path: reportPath }] } });
  expect(inReport(directory)).toBe('# Review\n\nAll is well.\n');
});

it('a path beside it is ignored', async () => {
  const directory = folder({ 'src/a.ts': 'a' });
  const { reading } = await readAs('tool-report', directory, { ...verdict, path: 'src/a.ts', report_text: 'Well.' });
  expect(reading).toMatchObject({ ok: true, result: { artifacts: [{ path: reportPath }] } });
  expect(readFileSync(join(directory, 'src/a.ts'), 'utf8')).toBe('a');
});

it('secrets are redacted', async () => {
  const directory = folder();
  const token = `ghp_${'a1'.repeat(18)}`;
  await readAs('tool-report', directory, { ...verdict, report_text: `It prints ${token}.` });
  expect(inReport(directory)).toMatch(/^It prints \S*redacted/);
});

it.each([
  ['without the text', verdict, 'missing'],
  ['with an empty text', { ...verdict, report_text: ' ' }, 'empty'],
  ['with a text that is too long', { ...verdict, report_text: 'x '.repeat(60_000) }, 'too-long'],
])('a return %s is refused, and nothing is written', async (_, result, code) => {
  const directory = folder();
  const { reading } = await readAs('tool-report', directory, result);
  expect(reading).toMatchObject({ ok: false, violations: [{ code, path: 'report_text' }] });
  expect(() => inReport(directory)).toThrow(/ENOENT/);
});

it('nothing is written through a symlink that leads out', async () => {
  const [directory, outside] = [folder(), folder()];
  mkdirSync(join(directory, '.divisi'));
  symlinkSync(outside, join(directory, '.divisi/runs'));
  const { reading } = await readAs('tool-report', directory, { ...verdict, report_text: 'Well.' });
  expect(reading).toMatchObject({ ok: false });
  expect(() => readFileSync(join(outside, 'r/reports/review.md'))).toThrow(/ENOENT/);
});

it('an agent that wrote its file after all may name it', async () => {
  const directory = folder({ [reportPath]: '# Review\n' });
  expect(await readAs('tool-report', directory, { ...verdict, path: reportPath })).toMatchObject({
    reading: { ok: true },
  });
});
