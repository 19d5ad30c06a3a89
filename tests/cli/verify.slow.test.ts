/** `divisi verify`, and the check of finished work when a run resumes. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checkoutOf,
  git,
  gitProject,
  type GitSample,
  put,
  runBranchOf,
  startsIn,
  tell,
} from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { processesIn, startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';
import { roomsOf } from '../support/rooms.ts';

const folder = temporaryFolders();
const project = (sample: GitSample): string => gitProject(folder(), sample);
const patient = { timeout: 120_000 };

interface Verified {
  readonly run: string;
  readonly commit: string;
  readonly holds: boolean;
  readonly foreign: number;
  readonly tasks: readonly {
    readonly task: string;
    readonly holds?: boolean;
    readonly then?: { readonly verdict: string };
    readonly now?: { readonly findings: { kind: string }[]; readonly commands: { ok: boolean }[] };
  }[];
}

async function verify(cwd: string, ...args: string[]): Promise<Verified & { code: number | null }> {
  const { code, stdout } = await divisi(['verify', '--json', ...args], { cwd });
  return { code, ...(JSON.parse(stdout) as Verified) };
}

/** A person works on the run's branch, beside the run. */
function onBranch(cwd: string, work: (other: string) => void): void {
  const other = join(cwd, '../other');
  git(cwd, 'worktree', 'add', '--quiet', other, runBranchOf(cwd));
  work(other);
  git(other, 'add', '-A');
  git(other, 'commit', '--quiet', '-m', 'By hand');
  git(cwd, 'worktree', 'remove', '--force', other);
}

const counting = { id: '1.1', accept: '`sh count.sh`' };
/** Says how often it was run, where it ran, and whether the text is still there. */
const count = 'echo run >> "$HOME/../count.log"; grep -q one src/a.txt\n';
const counted = (cwd: string): number => {
  const file = join(cwd, '../count.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
};

/** Takes a minute where someone has put a file for it. */
const slow = '[ -f "$HOME/../slow" ] || exit 0; echo $$ > "$HOME/../slow"; sleep 60\n';
const slowOne = async (cwd: string): Promise<void> => {
  await until(
    () => readFileSync(join(cwd, '../slow'), 'utf8'),
    (seen) => seen !== '',
  );
};

describe.concurrent('divisi verify', patient, () => {
  it('says what was verified then, and that it still holds; each command runs once', async () => {
    const waves = [[counting, { id: '1.2', accept: '`sh count.sh`' }, '1.3'], ['2.1']];
    const acts = { '1.3': { write: { 'x.txt': 'x', 'y.txt': 'y' }, claims: { 'x.txt': 'create' as const } } };
    const cwd = project({ waves, acts, files: { 'count.sh': count } });
    await divisi(['run', 'plan.md'], { cwd });
    const before = [checkoutOf(cwd), counted(cwd)] as const;
    const { code, holds, tasks, commit } = await verify(cwd);
    expect({ code, holds, commit }).toEqual({ code: 0, holds: true, commit: git(cwd, 'rev-parse', runBranchOf(cwd)) });
    expect(tasks.map(({ task, holds: of, then }) => [task, of, then?.verdict])).toEqual([
      ['1.1', true, 'verified'],
      ['1.2', true, 'verified'],
      ['1.3', true, 'degraded'],
      ['2.1', true, 'verified'],
    ]);
    expect(tasks[2]?.now?.findings).toMatchObject([{ kind: 'changed-unclaimed' }]);
    expect(counted(cwd)).toBe(before[1] + 1);
    expect(checkoutOf(cwd)).toEqual(before[0]);
    expect(roomsOf(cwd)).toEqual([]);
  });

  it('finds out that it no longer holds, with claim and fact', async () => {
    const acts = { '1.2': { write: { 'notes.md': 'x' }, artifacts: ['notes.md'] } };
    const cwd = project({
      waves: [[counting, { id: '1.2', agent: 'researcher' }]],
      acts,
      files: { 'count.sh': count },
    });
    await divisi(['run', 'plan.md'], { cwd });
    expect((await verify(cwd)).code).toBe(0);
    onBranch(cwd, (other) => {
      put(other, { 'src/a.txt': 'two\n', 'notes.md': '' });
    });
    const { code, stdout } = await divisi(['verify'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /: 0 of 2 completed tasks hold\n {2}inspect: the branch has 1 commit that no task made and Divisi has not verified\n {2}1\.1 Do 1\.1 – completed: does not hold\n {4}then verified: 1 file/,
    );
    expect(stdout).toMatch(
      /\n {4}now\n {6}`sh count\.sh` failed in .*: exit code 1 \(\.divisi\/\S+\/accept-1\.txt\)\n/,
    );
    expect(stdout).toMatch(/\n {6}artifact-empty – claimed: notes\.md; found: it is empty\n/);
    expect(JSON.parse((await divisi(['verify', '1.2', '--json'], { cwd })).stdout)).toMatchObject({
      tasks: [{ task: '1.2', holds: false }],
    });
  });

  it('an artifact that a later task removed is not missed; a commit that is gone is', async () => {
    const acts = {
      '1.1': { write: { 'notes.md': 'x' }, artifacts: ['notes.md'] },
      '2.1': { delete: ['notes.md'], write: { 'other.md': 'y' } },
    };
    const cwd = project({ waves: [[{ id: '1.1', agent: 'researcher' }], ['2.1']], acts });
    await divisi(['run', 'plan.md'], { cwd });
    expect(await verify(cwd)).toMatchObject({ code: 0, holds: true });
    git(cwd, 'branch', '--force', runBranchOf(cwd), 'main');
    expect(await verify(cwd)).toMatchObject({
      code: 1,
      tasks: [{ now: { findings: [{ kind: 'commit-gone' }] } }, { now: { findings: [{ kind: 'commit-gone' }] } }],
    });
  });

  it('ignored files, the same work twice, and what was deleted and made again are no reason to object', async () => {
    const acts = {
      '1.1': {
        write: { '1.1.txt': 'x', 'ignored/built.txt': 'x' },
        claims: { '1.1.txt': 'create' as const, 'ignored/built.txt': 'create' as const, ignored: 'edit' as const },
      },
      '1.2': { afterStart: '1.3 1', write: { 'same.txt': 'x' } },
      '1.3': { afterStart: '1.2 1', write: { 'same.txt': 'x' } },
      '1.4': { delete: ['legacy'], claims: { legacy: 'delete' as const } },
      '2.1': { write: { 'legacy/new.txt': 'x' } },
    };
    const files = { '.gitignore': 'ignored/\n', 'legacy/a.txt': 'a\n' };
    const waves = [['1.1', '1.2', '1.3', '1.4'], ['2.1']];
    const cwd = project({ settings: ['Concurrency: 4'], waves, acts, files });
    await divisi(['run', 'plan.md'], { cwd });
    const { code, tasks } = await verify(cwd);
    expect(tasks.map(({ task, holds, then }) => [task, then?.verdict, holds])).toEqual([
      ['1.1', 'degraded', true],
      ['1.2', 'verified', true],
      ['1.3', 'verified', true],
      ['1.4', 'verified', true],
      ['2.1', 'verified', true],
    ]);
    expect(code).toBe(0);
  });

  it('files that someone removed or changed on the branch, and commits that no task made, are said', async () => {
    const cwd = project({ waves: [['1.1', '1.2', '1.3'], ['2.1']] });
    await divisi(['run', 'plan.md'], { cwd });
    onBranch(cwd, (other) => rmSync(join(other, '1.1.txt')));
    onBranch(cwd, (other) => put(other, { '1.2.txt': 'by hand\n' }));
    const { code, holds, foreign, tasks } = await verify(cwd);
    expect({ code, holds, foreign }).toEqual({ code: 1, holds: false, foreign: 2 });
    expect(tasks.map(({ task, holds: of, now }) => [task, of, now?.findings.map(({ kind }) => kind)])).toEqual([
      ['1.1', false, ['files-gone']],
      ['1.2', true, ['files-changed']],
      ['1.3', true, []],
      ['2.1', true, []],
    ]);
    const { stdout } = await divisi(['verify'], { cwd });
    expect(stdout).toMatch(
      /: 3 of 4 completed tasks hold\n {2}inspect: the branch has 2 commits that no task made and Divisi has not verified\n/,
    );
    expect(stdout).toContain("\n      files-gone – gone from the run's branch, but not by a task: 1.1.txt\n");
    expect(stdout).toContain("\n      files-changed – changed on the run's branch, but not by a task: 1.2.txt\n");
  });

  it('also where an agent did it and was merged after it; the result of merging two changes does not count', async () => {
    const lines = ['one', 'two', 'three', 'four', 'five'];
    const text = (at: number): string => `${lines.map((line, of) => (of === at ? `${line}!` : line)).join('\n')}\n`;
    const past = [
      'cd "$HOME" && export GIT_INDEX_FILE="$PWD/../index" B="refs/heads/divisi/$DIVISI_RUN"',
      'git read-tree "$B" && git rm --quiet --cached lost.txt',
      'git update-ref "$B" $(git commit-tree -p "$B" -m "Past everybody" $(git write-tree)) && rm ../index',
    ];
    const acts = {
      '1.1': { afterStart: '1.2 1', write: { 'src/a.txt': text(0), 'lost.txt': 'x' } },
      '1.2': { afterStart: '1.1 1', write: { 'src/a.txt': text(4) } },
      '2.1': { write: { '2.1.txt': 'x' }, run: [['sh', '-c', past.join('\n')]] },
    };
    const cwd = project({ waves: [['1.1', '1.2'], ['2.1']], acts });
    await divisi(['run', 'plan.md'], { cwd });
    const { code, foreign, tasks } = await verify(cwd);
    expect({ code, foreign }).toEqual({ code: 1, foreign: 1 });
    expect(tasks.map(({ now }) => now?.findings.map(({ kind }) => kind))).toEqual([['files-gone'], [], []]);
  });

  it('a fixer that failed and was never merged does not decide about a run that has completed', async () => {
    const acts = {
      'wave-1:review': { verdict: 'MED' as const },
      'wave-1:review:fix': { write: { 'a.txt': 'x' }, claims: { 'b.txt': 'create' as const } },
    };
    const cwd = project({ acts });
    await divisi(['run', 'plan.md'], { cwd });
    const { code, holds, tasks } = await verify(cwd);
    expect({ code, holds, status: ledgerOf(cwd).report.status }).toEqual({ code: 0, holds: true, status: 'completed' });
    expect(tasks[1]).toMatchObject({ task: 'wave-1:review:fix', holds: false });
  });

  it('rejected work does not hold; work that never started is not verified', async () => {
    const acts = { '1.1': { write: { 'a.txt': 'x' }, claims: { 'b.txt': 'create' as const } } };
    const cwd = project({ waves: [['1.1'], ['2.1']], acts });
    await divisi(['run', 'plan.md'], { cwd });
    const { code, tasks } = await verify(cwd);
    // None of it is in the run's branch.
    expect(code).toBe(0);
    expect(tasks).toMatchObject([{ task: '1.1', holds: false, then: { verdict: 'rejected' } }, { task: '2.1' }]);
    expect(tasks[1]).not.toHaveProperty('holds');
    const refused = await divisi(['verify', '1.1'], { cwd });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('\n  1.1 Do 1.1 – undecided: refused, and not merged\n') as string,
    });
    expect((await divisi(['verify', '2.1'], { cwd })).stdout).toContain('\n  2.1 Do 2.1 – pending: not verified\n');
  });

  it('after the branch was merged and cleaned away, too', async () => {
    const cwd = project({});
    await divisi(['run', 'plan.md'], { cwd });
    for (const command of ['merge', 'clean']) await divisi([command], { cwd });
    expect(git(cwd, 'branch', '--list', 'divisi/*')).toBe('');
    expect(await verify(cwd)).toMatchObject({ code: 0, holds: true });
  });

  it('says so where the merged work can no longer be set up', async () => {
    const config = 'grace: 1\nworkspace:\n  setup: [[sh, setup.sh]]\n  accept: [["true"]]\n';
    const cwd = project({ config, files: { 'setup.sh': 'exit 0\n' } });
    await divisi(['run', 'plan.md'], { cwd });
    onBranch(cwd, (other) => put(other, { 'setup.sh': 'exit 4\n' }));
    const { code, tasks } = await verify(cwd);
    expect({ code, now: tasks[0]?.now }).toMatchObject({
      code: 1,
      now: { findings: [{ kind: 'acceptance-failed' }], commands: [{ argv: ['sh', 'setup.sh'], end: 'exit code 4' }] },
    });
  });

  it('a signal ends what it has running, and leaves no folder', async () => {
    const cwd = project({ waves: [[{ id: '1.1', accept: '`sh slow.sh`' }]], files: { 'slow.sh': slow } });
    await divisi(['run', 'plan.md'], { cwd });
    put(join(cwd, '..'), { slow: '' });
    const running = startDivisi(['verify'], { cwd });
    await slowOne(cwd);
    expect(processesIn(cwd, 'slow.sh')).not.toEqual([]);
    running.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 4, stdout: 'stopped; nothing was verified\n' });
    expect(processesIn(cwd, 'slow.sh')).toEqual([]);
    expect(roomsOf(cwd)).toEqual([]);
  });
});

describe.concurrent('divisi verify while the run continues', patient, () => {
  it('finds out what it would have found out alone', async () => {
    const wait = 'until [ -f "$HOME/../go" ]; do sleep 0.1; done\n';
    const cwd = project({
      waves: [[{ id: '1.1', accept: '`sh slow.sh`' }], ['2.1']],
      acts: { '2.1': { exits: 3 } },
      files: { 'slow.sh': slow.replace('sleep 60\n', wait) },
    });
    await divisi(['run', 'plan.md'], { cwd });
    put(join(cwd, '..'), { slow: '' });
    const running = startDivisi(['verify', '--json'], { cwd });
    await slowOne(cwd);
    tell(cwd, {});
    await divisi(['approve'], { cwd });
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    await divisi(['clean'], { cwd });
    put(join(cwd, '..'), { go: '' });
    const { code, stdout } = await running.ended;
    const { tasks } = JSON.parse(stdout) as Verified;
    expect({ code, now: tasks[0]?.now }).toEqual({ code: 0, now: { findings: [], commands: [expect.anything()] } });
    expect(roomsOf(cwd)).toEqual([]);
  });
});

describe.concurrent('resuming a run whose branch someone has moved', patient, () => {
  const waves = [[counting, '1.2'], ['2.1']];
  const failing = { '2.1': { exits: 3 } };
  const paused = async (): Promise<string> => {
    const cwd = project({ waves, acts: failing, files: { 'count.sh': count } });
    await divisi(['run', 'plan.md'], { cwd });
    return cwd;
  };
  const resume = async (cwd: string): Promise<Run> => {
    tell(cwd, {});
    await divisi(['approve'], { cwd });
    return divisi(['resume'], { cwd });
  };
  const reopened = (cwd: string): unknown[] =>
    ledgerOf(cwd).events.flatMap((event) => (event.kind === 'work.reopened' ? [[event.tasks, event.why]] : []));

  it('work that still holds is trusted', async () => {
    const cwd = await paused();
    onBranch(cwd, (other) => put(other, { '1.1.txt': 'better\n' }));
    const { code, stderr } = await resume(cwd);
    expect(stderr).toContain('files of 1.1 have changed since; they are verified again');
    expect({ code, reopened: reopened(cwd) }).toEqual({ code: 0, reopened: [] });
    expect(
      startsIn(cwd)
        .filter((start) => start.startsWith('1.'))
        .toSorted(),
    ).toEqual(['1.1 1', '1.2 1']);
    expect(git(cwd, 'show', `${runBranchOf(cwd)}:1.1.txt`)).toBe('better');
  });

  it('a stop while it is verified leaves all of it for the next time', async () => {
    const one = { id: '1.1', accept: '`sh slow.sh`' };
    const cwd = project({ waves: [[one], ['2.1']], acts: failing, files: { 'slow.sh': slow } });
    await divisi(['run', 'plan.md'], { cwd });
    onBranch(cwd, (other) => put(other, { '1.1.txt': 'better\n' }));
    tell(cwd, {});
    await divisi(['approve'], { cwd });
    put(join(cwd, '..'), { slow: '' });
    const running = startDivisi(['resume'], { cwd });
    await slowOne(cwd);
    expect(processesIn(cwd, 'slow.sh')).not.toEqual([]);
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(3);
    expect(processesIn(cwd, 'slow.sh')).toEqual([]);
    const kinds = new Set(ledgerOf(cwd).events.map(({ kind }) => kind));
    expect({ drifted: kinds.has('work.drifted'), reopened: reopened(cwd) }).toEqual({ drifted: false, reopened: [] });
    rmSync(join(cwd, '../slow'));
    const { code, stderr } = await divisi(['resume'], { cwd });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('files of 1.1 have changed') as string,
    });
  });

  it('work that no longer holds is done again, and only that', async () => {
    const cwd = await paused();
    onBranch(cwd, (other) => put(other, { '1.1.txt': 'worse\n', '1.2.txt': 'worse\n', 'src/a.txt': 'two\n' }));
    tell(cwd, { '1.1': { write: { '1.1.txt': 'again\n', 'src/a.txt': 'one\n' } } });
    await divisi(['approve'], { cwd });
    const { code } = await divisi(['resume'], { cwd });
    expect(code).toBe(0);
    expect(reopened(cwd)).toEqual([
      [['1.1'], 'it no longer passes verification: acceptance-failed – sh count.sh: exit code 1'],
    ]);
    expect(
      startsIn(cwd)
        .filter((start) => start.startsWith('1.'))
        .toSorted(),
    ).toEqual(['1.1 1', '1.1 2', '1.2 1']);
  });
});
