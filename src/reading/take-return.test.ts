import { defined } from '../base/defined.ts';
import { expect, it } from 'vitest';
import { driverTask } from '../../tests/conformance/driver-task.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { contractsByName, findContract } from '../contracts/registry.ts';
import type { ReturnWay } from '../contracts/return-way.ts';
import type { Violation } from '../contracts/finding.ts';
import { refused } from './outcome.ts';
import { readReturn } from './take-return.ts';

const folder = temporaryFolders();
const contract = findContract(contractsByName(), 'wave-review');

const asJson = JSON.stringify({ priority: 'LOW', action: 'rename-helper', path: 'r.md' });
const asLine = 'LOW|rename-helper|r.md';
const fenced = `\`\`\`json\n${asJson}\n\`\`\``;

/** What was not quite as it had been asked for. */
async function deviations(by: ReturnWay | undefined, text: string): Promise<string[]> {
  const project = folder({ 'r.md': '# Seen\n' });
  const reader = { project, contract, task: driverTask(project), ...defined({ by }) };
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

const doc = '## Phase 1: Links\n\n- [ ] send\n';
const wrote = ['path: .divisi/features/auth-TODO.md', 'dependencies: [mail]', 'priority: 1', 'complexity: low'];

it.each<[string, string, string | undefined, unknown]>([
  [
    'that breaks a rule',
    ['---', ...wrote, 'phases: 7', '---'].join('\n'),
    doc,
    { dependencies: ['mail'], priority: 1, phases: 7, complexity: 'low', path: '.divisi/features/auth-TODO.md' },
  ],
  ['without a block', 'nothing at all', doc, {}],
  ['about a document without phases', 'nothing at all', '# Nothing\n', undefined],
  ['without a document', 'nothing at all', undefined, undefined],
])('a return %s leaves its document, if there is one to go by', async (_, text, document, fields) => {
  const path = '.divisi/features/auth-TODO.md';
  const project = folder(document === undefined ? {} : { [path]: document });
  const hasPhases = (): Violation[] => [{ code: 'rule-broken', path: 'phases', expected: '1', got: '7' }];
  const todo = findContract(contractsByName(), 'todo-doc-generator');
  const task = { ...driverTask(project), directory: project };
  const found = await readReturn({ project, contract: todo, task, check: hasPhases, keeps: path }, text);
  const outcome = found.reading.ok ? undefined : refused(found.reading, { repairs: 2 }, 'no', found.document);
  expect(outcome).toMatchObject({ status: 'blocked', failure: { class: 'contract-violation' } });
  expect(outcome?.document).toBe(fields === undefined ? undefined : document);
  expect(outcome?.structuredResult?.fields).toEqual(fields);
});
