/** Work that is accepted and worth a look: each sign is on record, shown with the task, and listed in the summary. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  changedOn,
  checkoutOf,
  gitProject,
  type GitSample,
  divisiTo,
  verdictsOf,
  verificationsOf,
} from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);

describe.concurrent('signs of bad work', patient, () => {
  it('degrade it: unclaimed, hidden, empty, copied, unfounded, without its tests, with markers, with holes', async () => {
    const cases = "it('adds', () => {});\nit('takes away', () => {});\n";
    const cwd = project({
      settings: ['Concurrency: 8'],
      files: {
        '.gitignore': 'ignored/\n',
        'tests/one.test.js': cases,
        'tests/two.test.js': cases,
        'hidden.txt': 'x\n',
        'package.json': '{ "scripts": { "test": "exit 1" } }\n',
        // The real one leaves its logs in the checkout of this test.
        'tools/npm': 'grep -q "exit 0" package.json\n',
      },
      waves: [
        [
          '1.1',
          '1.2',
          '1.3',
          '1.4',
          '1.5',
          '1.6',
          '1.7',
          '1.8',
          '1.9',
          '1.10',
          '1.11',
          '1.12',
          { id: '1.13', accept: '`sh tools/npm test`' },
        ],
      ],
      acts: {
        '1.1': { write: { '1.1.txt': 'x', 'other.txt': 'x' }, claims: { '1.1.txt': 'create' } },
        '1.2': {
          write: { '1.2.txt': 'x', 'hidden.txt': 'changed\n' },
          run: [
            ['git', 'update-index', '--assume-unchanged', 'hidden.txt'],
            ['git', 'update-index', '--skip-worktree', 'README.md'],
          ],
          append: { 'README.md': 'More.\n' },
          claims: { '1.2.txt': 'create' },
        },
        '1.3': { claims: {} },
        '1.4': {
          write: { '1.4.txt': 'x' },
          summary: 'Cart totals are now rounded once, at the end. Two tests cover the cases that were off by a cent.',
        },
        '1.5': { write: { '1.5.txt': 'x' }, evidence: 'node src/nowhere/check.ts: all 14 passed' },
        '1.6': {
          delete: ['tests/one.test.js'],
          write: { 'tests/two.test.js': cases.replace("it('adds'", "it.skip('adds'") },
        },
        '1.7': { write: { '1.7.js': '<<<<<<< ours\nlet a;\n=======\nlet b;\n>>>>>>> theirs\n' } },
        '1.8': { write: { '1.8.js': 'export function add() {\n  // TODO: implement this\n}\n' } },
        '1.9': { write: { '1.9.txt': 'x', 'ignored/built.txt': 'x' } },
        '1.13': { write: { 'package.json': '{ "scripts": { "test": "exit 0" } }\n' } },
        // Git calls all of these binary.
        '1.10': { write: { '1.10.js': '/*\0*/\nexport function add() {\n  // TODO: implement this\n}\n' } },
        '1.11': { write: { '1.11.js': 'let total = 1;\n'.repeat(20).replaceAll('', '\0') } },
        '1.12': { write: { '1.12.png': `PNG\n\0\0<<<<<<< ours\n`, tool: '\x7fELF\0\0\x01\x02\x03\n<<<<<<< ours\n' } },
      },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    const { run, tasks } = ledgerOf(cwd).report;
    expect(Object.fromEntries(tasks.map(({ task }) => [task, verdictsOf(cwd, task).join()]))).toEqual({
      '1.1': 'degraded changed-unclaimed',
      '1.2': 'degraded changed-unclaimed',
      '1.3': 'degraded empty-diff',
      '1.4': 'degraded copied-example',
      '1.5': 'degraded evidence-unknown',
      '1.6': 'degraded tests-removed tests-skipped',
      '1.7': 'degraded conflict-markers',
      '1.8': 'degraded placeholder',
      '1.9': 'degraded claimed-ignored',
      '1.10': 'degraded placeholder',
      '1.11': 'degraded not-all-seen',
      '1.12': 'verified',
      '1.13': 'degraded command-changed',
    });
    expect(verificationsOf(cwd, '1.2')[0]?.findings[0]?.paths).toEqual(['README.md', 'hidden.txt']);
    expect(output).toMatch(/1\.2 completed in .*, degraded \(changed-unclaimed\): 3 files \+3 −1/);
    const summary = readFileSync(join(cwd, '.divisi/runs', run, 'summary.md'), 'utf8');
    expect(summary).toContain('- 1.6: tests-removed, tests-skipped');
    expect(changedOn(cwd)).toContain('M hidden.txt');
    expect(changedOn(cwd)).not.toContain('A ignored/built.txt');
    expect(checkoutOf(cwd)).toEqual(before);
  });
});
