/** `divisi merge`: a run's branch comes into the checkout when its user says so, and never halfway. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure } from '../support/answers.ts';
import { gitIn, gitProject, userCommits } from '../support/committed-project.ts';
import { hasTerminal, typeTo } from '../support/on-terminal.ts';
import { ledgerOf, projectFiles, said } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

async function ran(cwd: string): Promise<string> {
  await divisi(['run', 'plan.md'], { cwd });
  return ledgerOf(cwd).report.run;
}

async function refused(cwd: string, ...args: string[]): Promise<string> {
  const { code, stdout } = await divisi(['merge', ...args, '--json'], { cwd });
  const { error } = failure.parse(JSON.parse(stdout));
  expect({ code, error: error.code }).toEqual({ code: 2, error: 'MERGE_REFUSED' });
  return error.message;
}

describe('a run that has completed', () => {
  it('offers its work, and its summary keeps what was verified', async () => {
    const files = { '.divisi/config.yaml': 'workspace:\n  accept: [["true"]]\n' };
    const cwd = gitProject(folder, { waves: [['1.1', '1.2 after 1.1']], files });
    const { stdout } = await divisi(['run', 'plan.md'], { cwd });
    const { run } = ledgerOf(cwd).report;
    expect(stdout).toContain(
      `\nwork: branch divisi/${run}, 2 commits, 2 files; your checkout is unchanged\nto merge it into your checkout: divisi merge ${run}; to inspect it first: divisi diff ${run}\n`,
    );
    const summary = readFileSync(join(cwd, '.divisi/runs', run, 'summary.md'), 'utf8');
    expect(summary).toContain(`\nWork: branch \`divisi/${run}\`. \`divisi diff ${run}\` shows it, `);
    expect(summary.match(/^ {2}- verified: 1 file \+1 −0, checks 1\/1\n {2}- `true` passed in /gm)).toHaveLength(2);
  });

  it('asks before it brings what no task made', async () => {
    const cwd = gitProject(folder, { waves: [['1.1']] });
    const branch = `divisi/${await ran(cwd)}`;
    const forged = gitIn(cwd, 'commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'Unasked');
    gitIn(cwd, 'update-ref', `refs/heads/${branch}`, forged);
    expect(await refused(cwd)).toBe(
      'nothing was merged: the branch has 1 commit that no task made and Divisi has not verified',
    );
    expect((await divisi(['merge', '--yes'], { cwd })).code).toBe(0);
    expect(gitIn(cwd, 'rev-parse', 'HEAD')).toBe(forged);
  });

  it('comes into the branch that is checked out, once', async () => {
    const cwd = gitProject(folder, { waves: [['1.1', '1.2']] });
    const before = gitIn(cwd, 'rev-parse', 'HEAD');
    const run = await ran(cwd);
    expect(existsSync(join(cwd, '1.1.txt'))).toBe(false);
    expect(gitIn(cwd, 'rev-parse', 'HEAD')).toBe(before);
    const { code, stdout } = await divisi(['merge'], { cwd });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `merged 2 commits, 2 files of divisi/${run} into main; \`divisi clean\` removes what is left of runs that are over\n`,
    });
    expect(readFileSync(join(cwd, '1.2.txt'), 'utf8')).toBe('done 1\n');
    const format = '--format=%s|%(trailers:key=Divisi-Task,valueonly,separator=%x2C)';
    expect(gitIn(cwd, 'log', format, `${before}..`).split('\n').toSorted()).toEqual([
      'Write the file of 1.1|1.1',
      'Write the file of 1.2|1.2',
    ]);
    const again = await divisi(['merge', run, '--json'], { cwd });
    expect({ code: again.code, json: JSON.parse(again.stdout) as unknown }).toEqual({
      code: 0,
      json: { run, branch: `divisi/${run}`, into: 'main', commits: 2, result: 'nothing', files: [] },
    });
  });

  it('comes together with what the user has done meanwhile, committed or not', async () => {
    const cwd = gitProject(folder);
    await ran(cwd);
    userCommits(cwd, { 'own.txt': 'mine\n' });
    writeFileSync(join(cwd, 'not-committed.txt'), 'mine too\n');
    const { stdout } = await divisi(['merge', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ result: 'merged', files: ['1.1.txt'] });
    const there = ['1.1.txt', 'own.txt', 'not-committed.txt'].filter((file) => existsSync(join(cwd, file)));
    expect(there).toEqual(['1.1.txt', 'own.txt', 'not-committed.txt']);
    expect(gitIn(cwd, 'rev-list', '--parents', '-1', 'HEAD').split(' ')).toHaveLength(3);
  });

  it('changes nothing where the two do not go together, and says where', async () => {
    const cwd = gitProject(folder);
    const run = await ran(cwd);
    userCommits(cwd, { '1.1.txt': 'mine\n' });
    const before = gitIn(cwd, 'rev-parse', 'HEAD');
    const { code, stdout } = await divisi(['merge'], { cwd });
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `nothing was merged: 1 file changed both in divisi/${run} and in main\n  1.1.txt\nnext: git merge divisi/${run}, and resolve the conflicts\n`,
    });
    expect(gitIn(cwd, 'rev-parse', 'HEAD')).toBe(before);
    expect(readFileSync(join(cwd, '1.1.txt'), 'utf8')).toBe('mine\n');
    expect(existsSync(join(cwd, '.git/MERGE_HEAD'))).toBe(false);
  });

  it('does not write over a file that git does not know of', async () => {
    const cwd = gitProject(folder);
    await ran(cwd);
    writeFileSync(join(cwd, '1.1.txt'), 'the only copy\n');
    expect(await refused(cwd)).toContain('1.1.txt');
    expect(readFileSync(join(cwd, '1.1.txt'), 'utf8')).toBe('the only copy\n');
  });

  it('comes into a folder that is not a repository', async () => {
    const cwd = folder(projectFiles());
    const run = await ran(cwd);
    expect(existsSync(join(cwd, '1.1.txt'))).toBe(false);
    const { stdout, stderr } = await divisi(['merge'], { cwd });
    expect(stderr).toBe('');
    expect(stdout).toContain(`merged 1 commit, 1 file of divisi/${run} into this folder;`);
    expect(readFileSync(join(cwd, '1.1.txt'), 'utf8')).toBe('done 1\n');
    expect((await divisi(['merge'], { cwd })).stdout).toBe(`nothing to merge: this folder has all of ${run}\n`);
  });
});

describe('what a person should know first', () => {
  it('a run that has not completed is merged with --yes only', async () => {
    const cwd = gitProject(folder, { waves: [['1.1'], ['2.1']], behave: { '2.1': 'fail' } });
    const run = await ran(cwd);
    expect(await refused(cwd)).toBe(`nothing was merged: ${run} is paused: 1 of 2 tasks did not complete`);
    expect(existsSync(join(cwd, '1.1.txt'))).toBe(false);
    const { code } = await divisi(['merge', '--yes'], { cwd });
    expect({ code, there: existsSync(join(cwd, '1.1.txt')) }).toEqual({ code: 0, there: true });
  });

  it.runIf(hasTerminal)('on a terminal it is asked', async () => {
    const cwd = gitProject(folder, { waves: [['1.1'], ['2.1']], behave: { '2.1': 'fail' } });
    const run = await ran(cwd);
    const no = await typeTo(['merge'], cwd, ['q\r']);
    expect({ code: no.code, there: existsSync(join(cwd, '1.1.txt')) }).toEqual({ code: 4, there: false });
    expect(no.shown).toContain(`${run} is paused: 1 of 2 tasks did not complete`);
    expect(no.shown).toContain(`1  merge 1 commit, 1 file of divisi/${run} into main`);
    const yes = await typeTo(['merge'], cwd, ['1\r']);
    expect({ code: yes.code, there: existsSync(join(cwd, '1.1.txt')) }).toEqual({ code: 0, there: true });
  });

  it('a run that began from another branch brings more than its own work', async () => {
    const cwd = gitProject(folder, { settings: ['Base branch: other'] });
    gitIn(cwd, 'switch', '--quiet', '-c', 'other');
    userCommits(cwd, { 'other.txt': 'x\n' });
    gitIn(cwd, 'switch', '--quiet', 'main');
    const run = await ran(cwd);
    expect(await refused(cwd)).toContain(
      'it started from a commit that main does not have: merging adds 1 other commit',
    );
    expect(existsSync(join(cwd, 'other.txt'))).toBe(false);
    const { stderr } = await divisi(['merge', '--squash'], { cwd });
    expect(stderr).toContain(`\`divisi merge ${run} --squash --yes\` merges what there is`);
    expect((await divisi(['merge', '--squash', '--yes'], { cwd })).code).toBe(0);
    // Nothing is asked about work that is there.
    expect((await divisi(['merge'], { cwd })).stdout).toBe(`nothing to merge: main has all of ${run}\n`);
  });

  it('a run that is running is not merged', async () => {
    const cwd = gitProject(folder, { behave: { '1.1': 'hold' } });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => said(cwd),
      (lines) => lines.includes('start 1.1 1'),
    );
    expect(await refused(cwd, '--yes')).toMatch(/^run_\w+ is still running$/);
    writeFileSync(join(cwd, 'go-on'), '');
    await running.ended;
  });

  it('a checkout in the middle of something is left alone', async () => {
    const cwd = gitProject(folder);
    await ran(cwd);
    gitIn(cwd, 'checkout', '--quiet', '--detach');
    expect(await refused(cwd)).toBe('the work was not merged: the checkout is not on a branch');
  });
});
