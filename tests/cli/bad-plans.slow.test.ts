/** Plans, ledgers and folders that cannot be used: an error with its code, and nothing is started. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { planText, projectFiles, said } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const folder = temporaryFolders();

function refused({ code, stdout, stderr }: Run, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at |internal error/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
}

describe.concurrent('a plan that cannot be read', () => {
  it.each([
    ['that is not there', 'nothing.md', /^divisi: nothing\.md cannot be read: ENOENT.* \[PLAN_UNREADABLE\]\n/],
    ['that is a folder', 'folder', /^divisi: folder cannot be read: it is a folder \[PLAN_UNREADABLE\]\n/],
    ['that is the project itself', '.', /^divisi: \. cannot be read: it is a folder \[PLAN_UNREADABLE\]\n/],
    ['that is not UTF-8', 'latin.md', /^divisi: latin\.md is not UTF-8 text \[PLAN_UNREADABLE\]\n/],
    ['outside of the project', '../other.md', /other\.md is outside the project .*\[PLAN_UNREADABLE\]\n/],
    ['that is empty', 'empty.md', /^divisi: empty\.md:1: no tasks.* \[PLAN_INVALID\]\n/],
  ])('%s', async (_what, file, message) => {
    const cwd = folder({
      '.divisi/config.yaml': '',
      'folder/a.md': '',
      'empty.md': '',
      'latin.md': Buffer.from('# R\xE9sum\xE9\n', 'latin1'),
    });
    refused(await divisi(['run', file], { cwd }), message);
    expect(existsSync(ledgerFile(cwd))).toBe(false);
  });

  it('whose tasks are all ticked has no run: an empty one would be the newest', async () => {
    const cwd = folder(projectFiles());
    writeFileSync(join(cwd, 'plan.md'), planText().replaceAll('[ ]', '[x]'));
    refused(
      await divisi(['run', 'plan.md'], { cwd }),
      /^divisi: every task of plan\.md is ticked.* \[PLAN_FINISHED\]\n/,
    );
    expect(JSON.parse((await divisi(['list', '--json'], { cwd })).stdout)).toMatchObject({ runs: [] });
    expect((await divisi(['run', 'plan.md', '--mode', 'plan'], { cwd })).code).toBe(0);
  });

  it('that is a symlink to a file outside of the project is read, but never written through', async () => {
    const outside = join(folder({ 'plan.md': planText() }), 'plan.md');
    const { 'plan.md': _, ...files } = projectFiles();
    const cwd = folder(files);
    symlinkSync(outside, join(cwd, 'plan.md'));
    const { stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(readFileSync(outside, 'utf8')).toBe(planText());
  });
});

describe.concurrent('a plan with faults names each with its line, and starts nothing', () => {
  const lines = (text: string, of: string): number => text.slice(0, text.indexOf(of)).split('\n').length;

  it.each([
    ['an unknown dependency', [['1.1 after 7.7']], '| 1.1', /1\.1 waits for 7\.7, which is not in the plan/],
    [
      'a cycle',
      [['1.1 after 1.3', '1.2 after 1.1', '1.3 after 1.2']],
      '',
      /tasks wait for each other: (1\.\d) → 1\.\d → 1\.\d → \1/,
    ],
    ['an id that is declared twice', [['1.1', '1.2', '1.2 done']], '| [x] |', /1\.2 is already declared in line \d+/],
    ['a later wave', [['1.1 after 2.1'], ['2.1']], '| 1.1', /1\.1 is in wave 1 and waits for 2\.1 of wave 2/],
    ['a wave without tasks', [['1.1'], []], '## Wave 2', /wave 2 has no tasks/],
  ])('%s', async (_what, waves, at, message) => {
    const cwd = folder(projectFiles({ waves }));
    const text = readFileSync(join(cwd, 'plan.md'), 'utf8');
    const run = await divisi(['run', 'plan.md'], { cwd });
    refused(run, message);
    expect(run.stderr).toMatch(at === '' ? /^divisi: plan\.md:\d+: / : new RegExp(`plan\\.md:${lines(text, at)}: `));
    expect(run.stderr).toContain('[PLAN_INVALID]');
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toBe(text);
    expect(said(cwd)).toEqual([]);
  });

  it('all of them at once', async () => {
    const cwd = folder(
      projectFiles({ waves: [['1.1 after 7.7', '1.1']], settings: ['Concurrency: many', 'Color: red'] }),
    );
    const { code, stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^divisi: plan\.md:10: concurrency is "many", .* \[PLAN_INVALID\]$/),
      expect.stringMatching(/^ {2}plan\.md:11: unknown setting "color"/),
      expect.stringMatching(/^ {2}plan\.md:17: 1\.1 waits for 7\.7, /),
      expect.stringMatching(/^ {2}plan\.md:18: 1\.1 is already declared in line 17$/),
      '  Fix these lines and try again.',
    ]);
  });
});

describe.concurrent('a ledger that cannot be used is left as it is', { timeout: 60_000 }, () => {
  async function withRun(): Promise<string> {
    const cwd = folder(projectFiles({ behave: { '1.1': 'fail' } }));
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    return cwd;
  }

  it.each([
    ['garbage', (file: string) => writeFileSync(file, 'garbage '.repeat(1000)), 'LEDGER_CORRUPT'],
    ['cut off', (file: string) => truncateSync(file, 5000), 'LEDGER_CORRUPT'],
    [
      'made by a newer Divisi',
      (file: string) => {
        const db = new DatabaseSync(file);
        db.exec('pragma user_version = 99');
        db.close();
      },
      'LEDGER_NEWER',
    ],
    [
      'a folder',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
      'LEDGER_UNWRITABLE',
    ],
  ])('%s', async (_what, harm, code) => {
    const cwd = await withRun();
    const file = ledgerFile(cwd);
    harm(file);
    const content = (): string => (statSync(file).isFile() ? readFileSync(file).toString('base64') : '');
    const before = content();
    for (const args of [['run', 'plan.md'], ['resume'], ['list']]) {
      refused(await divisi(args, { cwd }), new RegExp(`^divisi: the ledger .* \\[${code}\\]\n`));
    }
    expect(content()).toBe(before);
    expect(said(cwd)).toEqual(['start 1.1 1', 'start 1.1 2']);
  });
});

describe('a .divisi that is not a folder of the project', () => {
  it('a file', async () => {
    const { '.divisi/config.yaml': _, ...files } = projectFiles();
    const cwd = folder({ ...files, '.divisi': 'a file' });
    refused(await divisi(['run', 'plan.md'], { cwd }), /\[LEDGER_UNWRITABLE\]/);
    refused(await divisi(['status'], { cwd }), /^divisi: this project has no runs \[RUN_UNKNOWN\]\n/);
    refused(await divisi(['run', '-'], { cwd, input: planText() }), /could not be stored in .* \[PLAN_UNWRITABLE\]/);
    expect(readFileSync(join(cwd, '.divisi'), 'utf8')).toBe('a file');
    expect(said(cwd)).toEqual([]);
  });

  it('a symlink that leads out: nothing is written there', async () => {
    const outside = folder({ 'a.txt': 'a' });
    const { '.divisi/config.yaml': _, ...files } = projectFiles();
    const cwd = folder(files);
    symlinkSync(outside, join(cwd, '.divisi'));
    refused(await divisi(['run', 'plan.md'], { cwd }), /leads out of the project through a symlink \[PATH_OUTSIDE\]\n/);
    refused(await divisi(['run', '-'], { cwd, input: planText() }), /leads out of .* \[PLAN_UNWRITABLE\]/);
    expect(said(cwd)).toEqual([]);
    expect(readdirSync(outside)).toEqual(['a.txt']);
  });
});
