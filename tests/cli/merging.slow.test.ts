/** Tasks side by side, and what becomes of their work: one branch, one commit each, and both sides where they do not go together. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import type { EventOf } from '../../src/core/event/event.ts';
import { withFileLock } from '../../src/ledger/file-lock.ts';
import {
  checkoutOf,
  commitsOf,
  git,
  gitProject,
  type GitSample,
  merged,
  put,
  runBranchOf,
  seenBy,
  startsIn,
  tell,
  divisiTo,
  verdictsOf,
  roomsLeft,
} from '../support/git-project.ts';
import { ledgerOf, promptsOf } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);
const conflictsOf = (cwd: string, task: string): EventOf<'task.conflicted'>['conflicts'][] =>
  ledgerOf(cwd).events.flatMap((event) =>
    event.kind === 'task.conflicted' && event.task === task ? [event.conflicts] : [],
  );
/** The usual text of `src/a.txt`, with another second line. */
const second = (line: string): string => `one\n${line}\nthree\nfour\nfive\n`;

describe.concurrent('the branch of a run', patient, () => {
  it('has one commit for each task; dependents and later waves begin with what was merged before', async () => {
    const cwd = project({
      waves: [['1.1', { id: '1.2', after: '1.1', title: 'Say "hello"' }, '1.3'], ['2.1']],
      acts: { '1.1': { write: { '1.1.txt': 'x' }, summary: 'Wrote it.\n\nDivisi-Task: 9.9' } },
    });
    const before = checkoutOf(cwd);
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(seenBy(cwd, '1.2')).toEqual(expect.arrayContaining(['1.1.txt', 'src/a.txt']));
    expect(seenBy(cwd, '2.1')).toEqual(expect.arrayContaining(['1.1.txt', '1.2.txt', '1.3.txt']));
    const commits = commitsOf(cwd);
    expect(commits.map(({ task }) => task).toSorted()).toEqual(['1.1', '1.2', '1.3', '2.1']);
    const { run } = ledgerOf(cwd).report;
    const ended = new Map(
      ledgerOf(cwd).events.flatMap((event) =>
        event.kind === 'delegation.ended' ? [[event.task, event.delegation as string] as const] : [],
      ),
    );
    for (const { task, delegation, run: of, subject, parents } of commits) {
      expect({ delegation, of, parents }).toEqual({ delegation: ended.get(task), of: run, parents: 1 });
      expect(subject).toBe(task === '1.2' ? 'Say "hello"' : `Do ${task}`);
    }
    expect(git(cwd, 'log', '-1', '--format=%an <%ae> %cn', runBranchOf(cwd))).toBe(
      'A Person <person@example.org> A Person',
    );
    expect(roomsLeft(cwd)).toEqual([]);
    expect(git(cwd, 'for-each-ref', 'refs/heads/divisi-task')).toBe('');
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('two runs in one repository at the same time', patient, () => {
  it('do not get in each other’s way', async () => {
    const cwd = project({ waves: [['1.1', '1.2', '1.3'], ['2.1']] });
    put(cwd, { 'other-plan.md': readFileSync(join(cwd, 'plan.md'), 'utf8').replace('Sample', 'Other') });
    const before = checkoutOf(cwd);
    await Promise.all(['plan.md', 'other-plan.md'].map((file) => divisiTo(0, cwd, 'run', file)));
    const branches = git(
      cwd,
      'for-each-ref',
      '--format=%(refname:short)',
      'refs/heads/divisi',
      'refs/heads/divisi-task',
    );
    const names = branches.split('\n');
    expect(names.map((name) => git(cwd, 'rev-list', '--count', `main..${name}`))).toEqual(['4', '4']);
    expect(git(cwd, 'diff', '--stat', ...names)).toBe('');
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('several tasks that wait to be merged', patient, () => {
  it('are merged in the order of the plan, whichever was verified first', async () => {
    const held = { afterStart: 'go 1', write: {} };
    const cwd = project({
      waves: [['1.1', '1.2', '1.3', '1.10']],
      acts: Object.fromEntries(['1.1', '1.2', '1.10'].map((id) => [id, { ...held, write: { [id]: 'x' } }])),
    });
    const verified = (): string[] =>
      existsSync(join(cwd, '.divisi/runs'))
        ? ledgerOf(cwd).events.flatMap((event) => (event.kind === 'task.verified' ? [event.task] : []))
        : [];
    // While the first is kept from being merged, the others come to wait for it.
    const running = await withFileLock(join(cwd, '.git/divisi-merge.lock'), async () => {
      const started = startDivisi(['run', 'plan.md'], { cwd });
      await until(verified, (seen) => seen.includes('1.3'));
      appendFileSync(join(cwd, '../agent/starts.log'), 'go 1\n');
      await until(verified, (seen) => seen.length === 4);
      return { ended: started.ended };
    });
    expect((await running.ended).code).toBe(0);
    expect(commitsOf(cwd).map(({ task }) => task)).toEqual(['1.3', '1.1', '1.2', '1.10']);
  });
});

describe.concurrent('tasks that change the same file', patient, () => {
  it('merge where they go together, and get both sides where they do not', async () => {
    const long = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const cwd = project({
      settings: ['Concurrency: 8'],
      files: { 'src/long.txt': `${long.join('\n')}\n`, 'old.txt': 'a\nb\nc\n', 'run.sh': 'echo 1\n' },
      waves: [['1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7', '1.8']],
      acts: {
        '1.1': { afterStart: '1.2 1', write: { 'src/a.txt': second('by 1.1') } },
        '1.2': [
          { afterMerge: '1.1', write: { 'src/a.txt': second('by 1.2') } },
          { write: { 'src/a.txt': second('by 1.1 and 1.2') } },
        ],
        '1.3': { afterStart: '1.4 1', rename: { 'old.txt': 'new.txt' } },
        '1.4': [{ afterMerge: '1.3', delete: ['old.txt'] }, { delete: ['new.txt'] }],
        '1.5': { afterStart: '1.6 1', write: { 'src/long.txt': ['top', ...long, ''].join('\n') } },
        '1.6': { afterMerge: '1.5', write: { 'src/long.txt': [...long, 'end', ''].join('\n') } },
        '1.7': { afterStart: '1.8 1', mode: { 'run.sh': 0o755 } },
        '1.8': { afterMerge: '1.7', append: { 'run.sh': 'echo 2\n' } },
      },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toContain('1.2 conflicts with merged work: src/a.txt\n');
    expect(merged(cwd, 'src/a.txt')).toBe(second('by 1.1 and 1.2').trimEnd());
    expect(merged(cwd, 'src/long.txt')).toBe(['top', ...long, 'end'].join('\n'));
    expect(git(cwd, 'ls-tree', runBranchOf(cwd), 'run.sh')).toContain('100755');
    expect(merged(cwd, 'run.sh')).toBe('echo 1\necho 2');
    expect([merged(cwd, 'old.txt'), merged(cwd, 'new.txt')]).toEqual([undefined, undefined]);
    expect(
      startsIn(cwd)
        .filter((line) => line.endsWith(' 2'))
        .toSorted(),
    ).toEqual(['1.2 2', '1.4 2']);

    const [[conflict] = []] = conflictsOf(cwd, '1.2');
    expect(conflict).toMatchObject({ path: 'src/a.txt' });
    expect(conflict?.merged).toContain('by 1.1');
    expect(conflict?.own).toContain('by 1.2');
    const [, prompt = ''] = promptsOf(cwd, '1.2');
    expect(prompt).toContain('by 1.1');
    expect(prompt).toContain('by 1.2');
    expect(conflictsOf(cwd, '1.4')).toMatchObject([[{ path: expect.stringMatching(/old|new/) as string }]]);
    expect(commitsOf(cwd)).toHaveLength(8);
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('ask a person when it continues, with both sides', async () => {
    const cwd = project({
      waves: [['1.1', '1.2', { id: '1.3', after: '1.1' }, { id: '1.4', after: '1.3' }]],
      acts: {
        '1.1': { afterStart: '1.2 1', write: { 'src/a.txt': second('by 1.1') } },
        '1.3': { afterStart: '1.2 2', write: { 'src/a.txt': second('by 1.3') } },
        '1.4': { afterStart: '1.2 3', write: { 'src/a.txt': second('by 1.4') } },
        '1.2': ['1.1', '1.3', '1.4'].map((afterMerge) => ({ afterMerge, write: { 'src/a.txt': second('by 1.2') } })),
      },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(conflictsOf(cwd, '1.2')).toHaveLength(3);
    expect(output).toMatch(/needs you: 1\.2: conflict: /);
    const asked = output.slice(output.indexOf('needs you: 1.2: conflict'));
    expect(asked).toContain('by 1.4');
    expect(asked).toContain('by 1.2');
    expect(merged(cwd, 'src/a.txt')).toContain('by 1.4');

    tell(cwd, { '1.2': { write: { 'src/a.txt': second('by all') } } });
    await divisiTo(0, cwd, 'approve', '--note', 'Keep both.');
    await divisiTo(0, cwd, 'resume');
    expect(promptsOf(cwd, '1.2').at(-1)).toContain('- Keep both.');
    expect(merged(cwd, 'src/a.txt')).toContain('by all');
    expect(commitsOf(cwd).map(({ task }) => task)).toEqual(['1.1', '1.3', '1.4', '1.2']);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('work that holds alone and not together', patient, () => {
  it('is fixed before anyone reviews it', async () => {
    const check = '[ -f x ] && [ -f y ] && [ ! -f z ] && echo broken together && exit 1\nexit 0\n';
    const accept = 'run: sh check.sh';
    const cwd = project({
      files: { 'check.sh': check },
      waves: [
        [
          { id: '1.1', accept },
          { id: '1.2', accept },
        ],
      ],
      acts: {
        '1.1': { afterStart: '1.2 1', write: { x: '1' } },
        '1.2': { afterMerge: '1.1', write: { y: '1' } },
        // It finds what the command said where it is told.
        'wave-1:fix': {
          run: [['sh', '-c', 'grep "broken together" .divisi/runs/$DIVISI_RUN/checks/*/accept-1.txt']],
          write: { z: '1' },
        },
      },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(['1.1', '1.2'].map((task) => verdictsOf(cwd, task).join())).toEqual(['verified', 'verified']);
    expect(output).toContain('wave-1 checks failed on the merged work: `sh check.sh` (exit code 1)\n');
    expect(output).toContain('wave-1 checks passed on the merged work: `sh check.sh`\n');
    expect(promptsOf(cwd, 'wave-1:fix')[0]).toContain('/checks/check-wave-1/accept-1.txt');
    const story = ledgerOf(cwd).events.flatMap((event) => {
      if (event.kind === 'gate.checked') return [`checked ${event.commands.every(({ ok }) => ok)}`];
      return event.kind === 'delegation.registered' && event.task.startsWith('wave') ? [event.task] : [];
    });
    expect(story.map((line) => line.replace(/review.*/, 'review'))).toEqual([
      'checked false',
      'wave-1:fix',
      'checked true',
      'wave-1:review',
    ]);
    expect(roomsLeft(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('is fixed where it cannot even be set up', async () => {
    const cwd = project({
      config: 'grace: 1\nworkspace:\n  setup: [[sh, setup.sh]]\n  accept: [["true"]]\n',
      files: { 'setup.sh': 'exit 0\n' },
      acts: {
        '1.1': { write: { 'setup.sh': 'echo broken lock\nexit 4\n' } },
        'wave-1:fix': {
          run: [['sh', '-c', 'grep "broken lock" .divisi/runs/$DIVISI_RUN/checks/check-wave-1/setup-1.txt']],
          write: { 'setup.sh': 'exit 0 # again\n' },
        },
      },
    });
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toContain('wave-1 checks failed on the merged work: `sh setup.sh` (exit code 4)\n');
    expect(output).toContain('wave-1 checks passed on the merged work: `true`\n');
    expect(merged(cwd, 'setup.sh')).toBe('exit 0 # again');
    expect(roomsLeft(cwd)).toEqual([]);
  });

  it('does not hold where something is in the way of what the config brings', async () => {
    const cwd = project({
      config: 'grace: 1\nworkspace:\n  copy: [local/env]\n  accept: [["true"]]\n',
      acts: {
        '1.1': { run: [['sh', '-c', 'rm -rf local; echo x > local']], claims: { local: 'create' } },
      },
    });
    put(cwd, { 'local/env': 'x' });
    const output = await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    expect(output).toContain('wave-1 checks failed on the merged work: `true` (could not start: ');
  });
});
