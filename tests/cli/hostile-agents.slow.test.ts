/** Agents that turn against what surrounds them: the repository, the user's checkout, the time after their end, the person. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findMarked } from '../../src/process/reap.ts';
import {
  changedOn,
  checkoutOf,
  commitsOf,
  git,
  gitProject,
  type GitSample,
  merged,
  put,
  tell,
  divisiTo,
  verdictsOf,
  verificationsOf,
  roomsLeft,
} from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi, environment, mainFile, unconfined } from '../support/divisi.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);

/** Root may read everything, until it gives up that right. */
const rights = '-dac_override,-dac_read_search';
const asAnybody = process.getuid?.() === 0 ? ['setpriv', `--bounding-set=${rights}`, `--inh-caps=${rights}`] : ['env'];
const canGiveUp = spawnSync(asAnybody[0] ?? '', [...asAnybody.slice(1), 'true']).status === 0;
if (!canGiveUp) console.warn('SKIPPED: unreadable files were NOT tested: root reads everything here');

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
        '1.3': { write: { '1.3.txt': 'x' }, run: [['git', 'checkout', '-q', '--orphan', 'divisi-task/mine']] },
        '1.4': { write: { '1.4.txt': 'x' }, run: [['rm', '-rf', '.git']] },
        '1.5': {
          write: { '1.5.txt': 'x' },
          run: [
            ['rm', '-rf', '.git'],
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
        '1.7': { write: { '1.7.txt': 'x' }, run: [['sh', '-c', 'rm -rf .git && echo gitdir: /nowhere > .git']] },
      },
    });
    const before = checkoutOf(cwd);
    await divisiTo(0, cwd, 'run', 'plan.md');
    const { tasks } = ledgerOf(cwd).report;
    expect(tasks.map(({ task }) => verdictsOf(cwd, task).join())).toEqual(tasks.map(() => 'verified'));
    expect(commitsOf(cwd).map(({ parents }) => parents)).toEqual(tasks.map(() => 1));
    expect(changedOn(cwd)).toEqual(tasks.map(({ task }) => `A ${task}.txt`));
    expect(roomsLeft(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('what an agent does to the repository of the user', patient, () => {
  it('stops the run with a question at worst: its branch is gone, and comes back', async () => {
    const remove = 'git -C "$HOME" update-ref -d "refs/heads/divisi/$DIVISI_RUN"';
    const cwd = project({
      waves: [['1.1'], ['2.1']],
      acts: { '2.1': [{ write: { '2.1.txt': 'x' }, run: [['sh', '-c', remove]] }, { write: { '2.1.txt': 'x' } }] },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(output).toMatch(/needs you: 2\.1: environment: the branch divisi\/run_\w+ is gone\n/);
    await divisiTo(0, cwd, 'approve');
    await divisiTo(0, cwd, 'resume');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt', 'A 2.1.txt']);
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('is said where it goes past verification: a commit of its own on the branch of the run', async () => {
    const forge =
      'cd "$HOME" && git update-ref "refs/heads/divisi/$DIVISI_RUN" "$(git commit-tree "HEAD^{tree}" -p HEAD -m x)"';
    const acts = { '1.1': { write: { '1.1.txt': 'x' }, run: [['sh', '-c', forge]] } };
    const cwd = project({ waves: [['1.1']], acts });
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toContain('has 1 commit that no task made and Divisi has not verified; inspect it\n');
    expect(output).toContain('\ninspect: the branch has 1 commit that no task made and Divisi has not verified\n');
    expect(await divisiTo(2, cwd, 'merge')).toContain('the branch has 1 commit that no task made');
  });

  it('is not forgotten when the run is resumed', async () => {
    const forge =
      'cd "$HOME" && git update-ref "refs/heads/divisi/$DIVISI_RUN" "$(git commit-tree "HEAD^{tree}" -p HEAD -m x)"';
    const acts = { '1.1': [{ run: [['sh', '-c', forge]], exits: 3 }, { exits: 3 }, { write: { '1.1.txt': 'x' } }] };
    const cwd = project({ waves: [['1.1']], acts });
    await divisiTo(5, cwd, 'run', 'plan.md');
    await divisiTo(0, cwd, 'approve');
    const output = await divisiTo(0, cwd, 'resume');
    expect(output).toContain('has 1 commit that no task made and Divisi has not verified; inspect it\n');
    expect(await divisiTo(2, cwd, 'merge')).toContain('the branch has 1 commit that no task made');
  });
});

describe.concurrent('files that are none, and names that are none', patient, () => {
  it('neither stop nor confuse anything', async () => {
    const odd = (line: string): string[] => ['sh', '-c', line];
    const cwd = project({
      settings: ['Concurrency: 6'],
      waves: [['1.1', '1.2', '1.3', '1.4', '1.5']],
      acts: {
        '1.1': { write: { '1.1.txt': 'x' }, run: [odd('mkfifo pipe')], claims: { '1.1.txt': 'create' } },
        '1.2': {
          write: { '1.2.txt': 'x' },
          run: [odd('printf x > "$(printf "file\\377")"')],
        },
        '1.3': {
          write: { '1.3.txt': 'x', 'two\nlines.txt': 'x', '\u001B[31mred.txt': 'x' },
          claims: { '1.3.txt': 'create' },
        },
        '1.4': {
          write: { '1.4.txt': 'x' },
          run: [odd('git stash -q -u && git stash pop -q && git gc -q --prune=now')],
        },
        '1.5': [{ claims: {}, run: [odd('rm -rf "$PWD"')] }, { write: { '1.5.txt': 'x' } }],
      },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    const { tasks } = ledgerOf(cwd).report;
    expect(tasks.map(({ task }) => verdictsOf(cwd, task).join())).toEqual([
      'verified',
      'degraded changed-unclaimed',
      'degraded changed-unclaimed',
      'verified',
      // It could not take its own room away, and failed.
      'verified',
    ]);
    expect(output).not.toContain('\u001B');
    expect(roomsLeft(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('files that git does not take', patient, () => {
  it('are rejected in its words, and the next attempt continues the rest', async () => {
    const cwd = project({
      settings: ['Concurrency: 3'],
      waves: [['1.1', '1.2', '1.3']],
      acts: {
        '1.1': [{ write: { '1.1.txt': 'x', 'git~1': 'x' } }, { claims: { '1.1.txt': 'create' } }],
        '1.2': [{ write: { '1.2.txt': 'x' }, link: { '.gitmodules': 'README.md' } }, { write: { '1.2.txt': 'y' } }],
        '1.3': [{ write: { '.gitattributes': '* working-tree-encoding=nonsense\n' } }, { write: { '1.3.txt': 'x' } }],
      },
    });
    await divisiTo(0, cwd, 'run', 'plan.md');
    const twice = ['rejected files-refused', 'verified'];
    expect(['1.1', '1.2', '1.3'].map((task) => verdictsOf(cwd, task))).toEqual([twice, twice, twice]);
    const [first] = verificationsOf(cwd, '1.1');
    expect(first?.findings[0]?.fact).toMatch(/^its files cannot be added: error: invalid path 'git~1'/);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt', 'A 1.2.txt', 'A 1.3.txt']);
    expect(roomsLeft(cwd)).toEqual([]);
  });
});

describe.concurrent('files that an agent makes unreadable', patient, () => {
  it.runIf(canGiveUp)('are rejected, or missed, and end nothing', async () => {
    const cwd = project({
      settings: ['Concurrency: 3'],
      waves: [['1.1', '1.2', '1.3']],
      acts: {
        '1.1': [{ write: { '1.1.txt': 'x' }, mode: { '1.1.txt': 0 } }, { write: { '1.1.txt': 'x' } }],
        '1.2': { write: { '1.2.txt': 'x' }, mode: { '.divisi/runs': 0 }, claims: { '1.2.txt': 'create' } },
        '1.3': [{ mode: { '.': 0 }, claims: {} }, { write: { '1.3.txt': 'x' } }],
      },
    });
    const [command, ...args] = [...asAnybody, process.execPath, mainFile, 'run', 'plan.md'];
    await promisify(execFile)(command, args, { cwd, env: environment(cwd) });
    const { tasks, status } = ledgerOf(cwd).report;
    expect({ status, verdicts: tasks.map(({ task }) => verdictsOf(cwd, task)) }).toEqual({
      status: 'completed',
      verdicts: [['rejected files-refused', 'verified'], ['verified'], ['rejected files-refused', 'verified']],
    });
  });
});

describe.concurrent('an unconfined agent that takes its folder away', patient, () => {
  it('or puts the checkout of the user in its place, has done nothing', async () => {
    const link = 'mv "$PWD" "$PWD.moved" && ln -s "$HOME" "$PWD"';
    const cwd = project({
      waves: [['1.1', '1.2', '1.3']],
      acts: {
        '1.1': [{ run: [['sh', '-c', 'rm -rf "$PWD"']], claims: {} }, { write: { '1.1.txt': 'x' } }],
        '1.2': [{ run: [['sh', '-c', link]], claims: {} }, { write: { '1.2.txt': 'x' } }],
        '1.3': [{ run: [['sh', '-c', link]], exits: 1 }, { write: { '1.3.txt': 'x' } }],
      },
    });
    put(cwd, { 'private.txt': 'not committed\n' });
    const before = checkoutOf(cwd);
    expect((await divisi(['run', 'plan.md'], { cwd, variables: unconfined })).code).toBe(0);
    const gone = ['rejected room-gone', 'verified'];
    expect(['1.1', '1.2', '1.3'].map((task) => verdictsOf(cwd, task))).toEqual([gone, gone, ['verified']]);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt', 'A 1.2.txt', 'A 1.3.txt']);
    expect(() => git(cwd, 'cat-file', '-e', git(cwd, 'hash-object', 'private.txt'))).toThrow('Command failed');
    expect(roomsLeft(cwd)).toEqual(['1.2.moved', '1.3.moved']);
    await divisiTo(0, cwd, 'clean');
    expect(roomsLeft(cwd)).toEqual([]);
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
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(['1.1', '1.2'].map((task) => verdictsOf(cwd, task).join())).toEqual(['verified', 'verified']);
    expect(merged(cwd, 'late-2.txt')).toMatch(/^(?:late\n?)+$/);
    const left = findMarked(ledgerOf(cwd).report.run);
    expect(left).toEqual({ supported: true, processes: [] });
    expect(roomsLeft(cwd)).toEqual([]);
  });
});

describe.concurrent('an agent that writes into the checkout of the user', patient, () => {
  it('gets nothing of that into the run', async () => {
    const cwd = project({ waves: [['1.1'], ['2.1']] });
    tell(cwd, {
      '1.1': {
        write: { '1.1.txt': 'x', [join(cwd, 'stray.txt')]: 'x' },
        claims: { '1.1.txt': 'create' },
      },
    });
    const before = checkoutOf(cwd);
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt', 'A 2.1.txt']);
    const after = checkoutOf(cwd);
    expect(after['status']).toEqual(['?? stray.txt']);
    expect({ ...after, files: 0, status: 0 }).toEqual({ ...before, files: 0, status: 0 });
  });
});
