/** Agents that turn against what surrounds them: the repository, the user's checkout, the time after their end, the person. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMarked } from '../../src/process/reap.ts';
import {
  changedOn,
  checkoutOf,
  commitsOf,
  gitProject,
  type GitSample,
  merged,
  put,
  startsIn,
  tell,
  tuttiTo,
  verdictsOf,
  worktreesOf,
} from '../support/git-project.ts';
import { ledgerOf, promptsOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);
const commit = ['git', '-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '-q'];

describe.concurrent('what an agent does to its own repository', patient, () => {
  it('hides nothing and takes nothing away: the files count', async () => {
    const cwd = project({
      settings: ['Concurrency: 8'],
      waves: [['1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7']],
      acts: {
        '1.1': {
          write: { '1.1.txt': 'x' },
          run: [
            ['git', 'add', '.'],
            [...commit, '-m', 'Mine'],
          ],
        },
        '1.2': {
          write: { '1.2.txt': 'x' },
          run: [
            ['git', 'add', '.'],
            [...commit, '-m', 'Mine'],
            ['git', 'reset', '-q', 'HEAD~1'],
          ],
        },
        '1.3': { write: { '1.3.txt': 'x' }, run: [['git', 'checkout', '-q', '--orphan', 'tutti-task/mine']] },
        '1.4': { write: { '1.4.txt': 'x' }, run: [['rm', '.git']] },
        '1.5': {
          write: { '1.5.txt': 'x' },
          run: [
            ['rm', '.git'],
            ['git', 'init', '-q', '.'],
            ['git', 'add', '.'],
            [...commit, '-m', 'Mine'],
          ],
        },
        '1.6': {
          write: { '1.6.txt': 'x' },
          run: [
            ['git', 'checkout', '-q', '--detach'],
            ['git', 'rm', '-q', '--cached', '-r', '.'],
          ],
        },
        '1.7': { write: { '1.7.txt': 'x', '.git': 'gitdir: /nowhere\n' }, claims: { '1.7.txt': 'create' } },
      },
    });
    const before = checkoutOf(cwd);
    await tuttiTo(0, cwd, 'run', 'plan.md');
    const { tasks } = ledgerOf(cwd).report;
    expect(tasks.map(({ task }) => verdictsOf(cwd, task).join())).toEqual(tasks.map(() => 'verified'));
    expect(commitsOf(cwd).map(({ parents }) => parents)).toEqual(tasks.map(() => 1));
    expect(changedOn(cwd)).toEqual(tasks.map(({ task }) => `A ${task}.txt`));
    expect(worktreesOf(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('an agent that takes its folder away', patient, () => {
  it('or puts the checkout of the user in its place, has done nothing', async () => {
    const link = 'mv "$PWD" "$PWD.moved" && ln -s "${PWD%%/.tutti/*}" "$PWD"';
    const cwd = project({
      waves: [['1.1', '1.2']],
      acts: {
        '1.1': [{ run: [['sh', '-c', 'rm -rf "$PWD"']], claims: {} }, { write: { '1.1.txt': 'x' } }],
        '1.2': [{ run: [['sh', '-c', link]], claims: {} }, { write: { '1.2.txt': 'x' } }],
      },
    });
    put(cwd, { 'private.txt': 'not committed\n' });
    const before = checkoutOf(cwd);
    await tuttiTo(0, cwd, 'run', 'plan.md');
    const gone = ['rejected worktree-gone', 'verified'];
    expect(['1.1', '1.2'].map((task) => verdictsOf(cwd, task))).toEqual([gone, gone]);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt', 'A 1.2.txt']);
    expect(worktreesOf(cwd)).toEqual(['1.2-1.moved']);
    await tuttiTo(0, cwd, 'clean');
    expect(worktreesOf(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('what an agent leaves running', patient, () => {
  it('is ended before its work is looked at, in a session of its own too', async () => {
    const cwd = project({
      waves: [['1.1', '1.2']],
      acts: {
        '1.1': { leaves: { file: 'late-1.txt' }, claims: { 'late-1.txt': 'create' } },
        '1.2': { leaves: { file: 'late-2.txt', setsid: true }, claims: { 'late-2.txt': 'create' } },
      },
    });
    await tuttiTo(0, cwd, 'run', 'plan.md');
    expect(['1.1', '1.2'].map((task) => verdictsOf(cwd, task).join())).toEqual(['verified', 'verified']);
    expect(merged(cwd, 'late-2.txt')).toMatch(/^(?:late\n?)+$/);
    const left = findMarked(ledgerOf(cwd).report.run);
    expect(left).toEqual({ supported: true, processes: [] });
    expect(worktreesOf(cwd)).toEqual([]);
  });
});

describe.concurrent('an agent that writes into the checkout of the user', patient, () => {
  it('gets nothing of that into the run', async () => {
    const cwd = project({ waves: [['1.1'], ['2.1']] });
    tell(cwd, {
      '1.1': {
        write: { '1.1.txt': 'x', [join(cwd, 'stray.txt')]: 'x', '../../../../stray-2.txt': 'x' },
        claims: { '1.1.txt': 'create' },
      },
    });
    const before = checkoutOf(cwd);
    await tuttiTo(0, cwd, 'run', 'plan.md');
    expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt', 'A 2.1.txt']);
    const after = checkoutOf(cwd);
    expect(after['status']).toEqual(['?? stray-2.txt', '?? stray.txt']);
    expect({ ...after, files: 0, status: 0 }).toEqual({ ...before, files: 0, status: 0 });
  });
});

describe.concurrent('work that is refused again and again', patient, () => {
  it('goes to a stronger agent, then to a person, whose words are passed on', async () => {
    const lie = { write: { '1.1.txt': 'x' }, claims: { '1.1.txt': 'create', 'README.md': 'edit' } } as const;
    const cwd = project({ waves: [['1.1']], acts: { '1.1': lie } });
    const before = checkoutOf(cwd);
    const output = await tuttiTo(5, cwd, 'run', 'plan.md');
    expect(output).toContain('1.1 is escalated to deep\n');
    expect(output).toMatch(/needs you: 1\.1: verification-failed: .*said: edited README\.md; found: it is unchanged/);
    expect(startsIn(cwd)).toEqual(['1.1 1', '1.1 2', '1.1 3', '1.1 4', '1.1 5', '1.1 6']);
    // Kept for inspection.
    expect(worktreesOf(cwd)).toContain('1.1-6');
    expect(commitsOf(cwd)).toEqual([]);

    tell(cwd, { '1.1': { claims: { '1.1.txt': 'create' } } });
    await tuttiTo(0, cwd, 'approve', '--note', 'Leave the README alone.');
    await tuttiTo(0, cwd, 'resume');
    expect(promptsOf(cwd, '1.1').at(-1)).toContain('- a person says: Leave the README alone.');
    expect(verdictsOf(cwd, '1.1').at(-1)).toBe('verified');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
    expect(worktreesOf(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('is not taken over by a yes to its form alone', async () => {
    const cwd = project({
      waves: [['1.1']],
      acts: { '1.1': { write: { '1.1.txt': 'x' }, link: { out: '/etc/hostname' } } },
    });
    expect(await tuttiTo(5, cwd, 'run', 'plan.md')).toContain('contract-violation');
    await tuttiTo(0, cwd, 'approve');
    tell(cwd, { '1.1': { delete: ['out'], claims: { '1.1.txt': 'create' } } });
    expect(await tuttiTo(0, cwd, 'resume')).toContain('1.1 rejected: a link that leads out of the project: out');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
  });
});

describe.concurrent('artifacts', patient, () => {
  it('that are missing, empty or outside are not accepted', async () => {
    const cwd = project({
      waves: [['1.1', '1.2', '1.3'].map((id) => ({ id, agent: 'researcher' }))],
      acts: {
        '1.1': { artifacts: ['found/nothing.md'] },
        '1.2': { write: { 'found/empty.md': '' }, artifacts: ['found/empty.md'] },
        '1.3': { link: { 'found/out.md': '/etc/hostname' }, artifacts: ['found/out.md'] },
      },
    });
    const before = checkoutOf(cwd);
    const output = await tuttiTo(5, cwd, 'run', 'plan.md');
    expect(output).toMatch(
      /1\.1 blocked in .*\[artifact-missing\]: expected a file that exists; got found\/nothing\.md\n/,
    );
    expect(output).toMatch(
      /1\.2 blocked in .*\[artifact-empty\]: expected a file that is not empty; got found\/empty\.md\n/,
    );
    expect(output).toMatch(/1\.3 blocked in .*\[artifact-outside\]: .*; got found\/out\.md \(a symlink leads out\)\n/);
    expect(commitsOf(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});
