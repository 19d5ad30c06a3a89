/** Contracts of the project, in `.divisi/contracts/`. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as answers from '../support/answers.ts';
import { ownContract } from '../support/own-contract.ts';
import { sampleAssignment } from '../support/samples.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const migration = (risk: string): string =>
  `---OUTPUT---\npath: db/005.sql\nreversible: true\ntables: none\nrisk: ${risk}\n---END---\n`;

const brokenProject = (): string =>
  folder({ '.divisi/contracts/mine.yaml': ownContract().replace('type: choice, of: [low, high]', 'type: choice') });
const head = { '.git/HEAD': 'ref: refs/heads/main\n' };
const project = (): string => folder({ ...head, '.divisi/contracts/mine.yaml': ownContract(), 'src/deep/a.ts': '' });

describe('a valid own contract', () => {
  it('is used from a folder below', async () => {
    const cwd = join(project(), 'src/deep');
    const [list, check] = await Promise.all([
      divisi(['contract', 'list', '--json'], { cwd }),
      divisi(['contract', 'check', 'db-tools:migration-writer', '--json'], { cwd, input: migration('high') }),
    ]);
    expect(answers.contractList.parse(JSON.parse(list.stdout)).at(-1)).toEqual({
      name: 'migration-writer',
      version: 1,
      wireFormat: 'block',
      purpose: 'write one database migration',
    });
    expect(check.code).toBe(0);
    expect(answers.checkValid.parse(JSON.parse(check.stdout))).toMatchObject({
      contract: 'migration-writer',
      action: 'halt',
      result: {
        status: 'completed',
        artifacts: [{ type: 'plan', path: 'db/005.sql' }],
        fields: { risk: 'high', tables: [] },
      },
    });
  });

  it('is used from anywhere with --root', async () => {
    const root = project();
    const args = ['contract', 'repair', 'migration-writer', '--root', root];
    const { code, stdout } = await divisi(args, { cwd: folder(), input: migration('none') });
    expect(code).toBe(1);
    expect(stdout).toContain('risk [');
  });

  it.each([
    [['contract', 'show', 'migration-writer'], 'a migration of low risk can be undone'],
    [['contract', 'prompt', 'migration-writer'], 'path: db/004.sql'],
    [['contract', 'show', 'migration-writer', '--json-schema'], '"additionalProperties": false'],
  ])('%j', async (args, text) => {
    const { code, stdout, stderr } = await divisi(args, { cwd: project() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(text);
  });
});

describe('an own contract that is not one: exit 2, file and line', () => {
  it.each([
    ['contract list'],
    ['contract show code-reviewer'],
    ['contract prompt code-reviewer'],
    ['contract check code-reviewer'],
    ['contract repair code-reviewer'],
  ])('%s', async (line) => {
    const { code, stdout, stderr } = await divisi(line.split(' '), { cwd: brokenProject(), input: 'x' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^divisi: \.divisi\/contracts\/mine\.yaml:8: fields\.risk\.of: .* \[CONTRACT_FILE_INVALID\]\n/,
    );
  });

  it('assignment prompt --json', async () => {
    const args = ['assignment', 'prompt', '--json'];
    const { code, stdout } = await divisi(args, { cwd: brokenProject(), input: JSON.stringify(sampleAssignment()) });
    expect(code).toBe(2);
    expect(answers.failure.parse(JSON.parse(stdout)).error).toMatchObject({
      code: 'CONTRACT_FILE_INVALID',
      ids: { file: '.divisi/contracts/mine.yaml', line: 8 },
    });
  });

  it('a folder in its place', async () => {
    const cwd = folder({ '.divisi/contracts/mine.yaml/keep': '' });
    const { code, stderr } = await divisi(['contract', 'list'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^divisi: \.divisi\/contracts\/mine\.yaml: cannot be read: .* \[CONTRACT_FILE_INVALID\]\n/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
