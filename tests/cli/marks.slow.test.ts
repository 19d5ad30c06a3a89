/** Ticks of a plan are compared with commits: work of an earlier run that was never merged is asked about before a new run starts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import { divisi } from '../support/divisi.ts';
import { divisiTo, git, gitProject, put, runBranchOf, startsIn, tell } from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { hasTerminal, typeTo } from '../support/on-terminal.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

/** 1.1 is done and ticked by a run that was cancelled and whose branch was not merged. */
async function cancelled(): Promise<string> {
  const cwd = gitProject(folder(), { waves: [['1.1', '1.2']], acts: { '1.2': { exits: 1 } } });
  await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
  await divisiTo(0, cwd, 'cancel');
  expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('| 1.1 | Do 1.1 | [x] ');
  tell(cwd, {});
  return cwd;
}

const filesOn = (cwd: string): string[] =>
  git(cwd, 'ls-tree', '--name-only', runBranchOf(cwd))
    .split('\n')
    .filter((path) => path.startsWith('1.'));

describe.concurrent('a tick whose work is not in the base', patient, () => {
  it('is not passed over: without an answer nothing starts, and the options are named', async () => {
    const cwd = await cancelled();
    const { run } = ledgerOf(cwd).report;
    const refused = await divisi(['run', 'plan.md'], { cwd });
    expect(refused.code).toBe(exitCodes.usage);
    expect(refused.stderr).toContain(`\n  1.1: done by ${run}, on the branch divisi/${run}\n`);
    expect(refused.stderr).toMatch(/\[MARKS_UNMERGED\][^]*--marks branch[^]*--marks again[^]*--marks done/);
    expect(ledgerOf(cwd).report.run).toBe(run);
    expect((await divisi(['run', 'plan.md', '--marks', 'maybe'], { cwd })).stderr).toContain('[USAGE]');
  });

  it('branch: the run starts from that branch and what is new in the base', async () => {
    const cwd = await cancelled();
    put(cwd, { '1.0.txt': 'mine\n' });
    git(cwd, 'add', '1.0.txt');
    git(cwd, 'commit', '--quiet', '--message', 'Newer', '--', '1.0.txt');
    await divisiTo(0, cwd, 'run', 'plan.md', '--marks', 'branch');
    expect(filesOn(cwd)).toEqual(['1.0.txt', '1.1.txt', '1.2.txt']);
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1'))).toEqual(['1.1 1']);
    await divisiTo(0, cwd, 'merge', '--yes');
    expect(readFileSync(join(cwd, '1.1.txt'), 'utf8')).toBe('done\n');
  });

  it('branch: is refused where the two conflict', async () => {
    const cwd = await cancelled();
    put(cwd, { '1.1.txt': 'mine\n' });
    git(cwd, 'add', '1.1.txt');
    git(cwd, 'commit', '--quiet', '--message', 'Other', '--', '1.1.txt');
    const refused = await divisi(['run', 'plan.md', '--marks', 'branch'], { cwd });
    expect(refused.stderr).toMatch(/it conflicts with \w{10} in 1\.1\.txt \[MERGE_REFUSED\]/);
  });

  it('again: the task is open, in the plan too', async () => {
    const cwd = await cancelled();
    await divisiTo(0, cwd, 'run', 'plan.md', '--marks', 'again');
    expect(filesOn(cwd)).toEqual(['1.1.txt', '1.2.txt']);
    expect(startsIn(cwd).filter((start) => start.startsWith('1.1'))).toEqual(['1.1 1', '1.1 1']);
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('| 1.1 | Do 1.1 | [x] ');
  });

  it('done: it is taken as done', async () => {
    const cwd = await cancelled();
    await divisiTo(0, cwd, 'run', 'plan.md', '--marks', 'done');
    expect(filesOn(cwd)).toEqual(['1.2.txt']);
  });

  it('is nothing to ask about once `merge --squash` brought the work and `clean` removed its branch', async () => {
    const cwd = await cancelled();
    const earlier = runBranchOf(cwd);
    await divisiTo(0, cwd, 'merge', '--squash', '--yes');
    await divisiTo(0, cwd, 'clean');
    expect(git(cwd, 'branch', '--list', earlier)).toBe('');
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(filesOn(cwd)).toEqual(['1.1.txt', '1.2.txt']);
  });

  it('is nothing to ask about once the work was merged, also as other commits, or where no run set the tick', async () => {
    const cwd = await cancelled();
    git(cwd, 'merge', '--quiet', '--squash', runBranchOf(cwd));
    git(cwd, 'commit', '--quiet', '--message', 'Squashed', '--', '1.1.txt');
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(filesOn(cwd)).toEqual(['1.1.txt', '1.2.txt']);
    const plan = readFileSync(join(cwd, 'plan.md'), 'utf8');
    put(cwd, { 'other.md': plan.replace(/(Do 1\.2 \| )\[x\][^|]*\|/, '$1[ ] |') });
    await divisiTo(0, cwd, 'run', 'other.md', '--new');
  });

  it('is asked about where the history was rewritten', async () => {
    const cwd = await cancelled();
    git(cwd, 'checkout', '--quiet', '--orphan', 'new');
    git(cwd, 'commit', '--quiet', '--message', 'All anew', '--all');
    expect((await divisi(['run', 'plan.md'], { cwd })).stderr).toContain('[MARKS_UNMERGED]');
  });

  it('is named where every task is ticked', async () => {
    const cwd = await cancelled();
    await divisiTo(0, cwd, 'run', 'plan.md', '--marks', 'branch');
    const { run } = ledgerOf(cwd).report;
    const { code, stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(exitCodes.usage);
    expect(stderr).toContain(`[PLAN_FINISHED]\n  But the work of some is not where a run would start:\n`);
    expect(stderr).toContain(`\n  1.2: done by ${run}, on the branch divisi/${run}\n`);
    expect(stderr).toContain(`\`divisi merge ${run} --yes\` merges it into your checkout. \`--marks again\` does`);
    await divisiTo(0, cwd, 'merge', '--yes');
    expect((await divisi(['run', 'plan.md'], { cwd })).stderr).not.toContain('But the work');
  });

  it('is not offered a branch that is gone', async () => {
    const cwd = await cancelled();
    await divisiTo(0, cwd, 'clean', ledgerOf(cwd).report.run, '--discard', '--yes');
    const { stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect(stderr).toMatch(/1\.1: done by run_\w+, whose branch is gone\n/);
    expect(stderr).toContain('expected: `--marks again` (do them again) or `--marks done` (take them as done)\n');
    expect(stderr).not.toContain('divisi merge');
    const branch = await divisi(['run', 'plan.md', '--marks', 'branch'], { cwd });
    expect(branch.stderr).toMatch(
      /its branch is gone \[MERGE_REFUSED\]\n {2}Nothing was started\. `--marks again` does/,
    );
    if (!hasTerminal) return;
    const { code, shown } = await typeTo(['run', 'plan.md'], cwd, ['1\n']);
    expect({ code, shown: code === 0 ? '' : shown }).toEqual({ code: 0, shown: '' });
    expect(shown).not.toContain('start from that branch');
    expect(filesOn(cwd)).toEqual(['1.1.txt', '1.2.txt']);
  });

  it.skipIf(!hasTerminal)('is asked about on a terminal', async () => {
    const cwd = await cancelled();
    const { code, shown } = await typeTo(['run', 'plan.md'], cwd, ['3\n']);
    expect({ code, shown: code === 0 ? '' : shown }).toEqual({ code: 0, shown: '' });
    expect(shown).toMatch(
      /1\.1: done by run_\w+, on the branch[^]*1 {2}start from that branch[^]*2 {2}do them again[^]*3 {2}take them as done/,
    );
    expect(filesOn(cwd)).toEqual(['1.2.txt']);
  });
});
