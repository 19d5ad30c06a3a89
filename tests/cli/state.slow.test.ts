/** What Divisi keeps outside of the checkout: nothing that is done to the checkout reaches it, and a moved project finds it again. */
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIn, gitProject } from '../support/committed-project.ts';
import { divisi } from '../support/divisi.ts';
import { ledgerOf, projectFiles, type SampleProject, startsOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { stateFolder } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const twoWaves: SampleProject = { waves: [['1.1'], ['2.1']], more: '## Checkpoints\n\n- [ ] After wave 1: look\n' };

const lines = async (cwd: string, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await divisi(args, { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

describe.concurrent('a checkout', patient, () => {
  it('has what people read, and nothing of the state', async () => {
    const cwd = folder(projectFiles(twoWaves));
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    const { run } = ledgerOf(cwd).report;
    expect(readdirSync(join(cwd, '.divisi')).toSorted()).toEqual(['.gitignore', 'config.yaml', 'runs']);
    const ofRun = readdirSync(join(cwd, '.divisi/runs', run));
    expect(ofRun.filter((name) => !['checks', 'reports', 'summary.md', 'worklogs'].includes(name))).toEqual([]);
    const state = readdirSync(stateFolder(cwd)).filter((name) => !/^ledger\.db-|\.lock$/.test(name));
    // The package cache is for rooms that programs cannot leave.
    expect(state.filter((name) => name !== 'cache').toSorted()).toEqual([
      'ledger.db',
      'path',
      'rooms',
      'rooms-folder',
      'runs',
      'store.git',
    ]);
    expect(readdirSync(join(stateFolder(cwd), 'runs', run))).toContain('returns');
  });

  it('that is cleaned does not reach the ledger: the run is shown and resumed', async () => {
    const cwd = gitProject(folder, twoWaves);
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    const { run } = ledgerOf(cwd).report;
    gitIn(cwd, 'clean', '-ffdxq', '-e', '.gitconfig', '-e', '*.log');
    expect(readdirSync(join(cwd, '.divisi'))).toEqual(['config.yaml']);
    expect(await lines(cwd, 'status')).toContain(run);
    await lines(cwd, 'approve');
    await lines(cwd, 'resume');
    expect(ledgerOf(cwd).report).toMatchObject({ run, status: 'completed', counts: { completed: 2 } });
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1']);
    expect(await lines(cwd, 'logs', '1.1')).toContain('Wrote the file of 1.1.');
  });
});

describe.concurrent.each([
  ['a repository', (): string => gitProject(folder, twoWaves)],
  ['a plain folder', (): string => folder(projectFiles(twoWaves))],
])('%s that is moved', patient, (_, make) => {
  it.each([
    ['under its name', ''],
    ['under another name', '-renamed'],
  ])('%s says where its runs are, adopts them, and resumes', async (_how, suffix) => {
    const name = `app-${Math.random().toString(36).slice(2)}`;
    const before = join(folder(), name);
    renameSync(make(), before);
    expect((await divisi(['run', 'plan.md'], { cwd: before })).code).toBe(5);
    const { run } = ledgerOf(before).report;
    const cwd = join(folder(), `${name}${suffix}`);
    renameSync(before, cwd);
    const hint = `no runs here; ${before} had 1: \`divisi adopt ${before}\``;
    expect(await lines(cwd, 'list')).toBe(`${hint}\n`);
    for (const command of ['status', 'resume', 'approve'])
      expect((await divisi([command], { cwd })).stderr).toContain(`divisi: ${hint} [RUN_UNKNOWN]\n`);
    expect((await divisi(['complete', '--', 'adopt', before.slice(0, -2)], { cwd })).stdout).toBe(`${before}\t1 run\n`);
    expect(await lines(cwd, 'adopt', before)).toBe(`adopted 1 run of ${before}\n`);
    expect(await lines(cwd, 'status')).toContain(run);
    await lines(cwd, 'approve');
    await lines(cwd, 'resume');
    expect(ledgerOf(cwd).report).toMatchObject({ run, status: 'completed', counts: { completed: 2 } });
    const again = await divisi(['adopt', before], { cwd });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('[ADOPT_REFUSED]') as string });
  });
});
