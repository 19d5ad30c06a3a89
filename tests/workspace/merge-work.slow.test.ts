/** One task, one commit on the run's branch, once; and nothing that another task did is lost by it. */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mergeWork } from '../../src/workspace/git/merge/merge-work.ts';
import { at, gitFolders, gitIn, identity, run, treeOf, type Workspace, workspaceOn, writeIn } from './git-project.ts';

const { repository } = gitFolders();

type Act = (directory: string) => void;
const write =
  (files: Record<string, string | Buffer>): Act =>
  (directory) =>
    writeIn(directory, files);
const gone =
  (...paths: readonly string[]): Act =>
  (directory) =>
    paths.forEach((path) => rmSync(join(directory, path), { recursive: true }));

/** Two tasks that start from the same base; the first is merged first. */
async function together(work: Workspace, first: Act, second: Act): ReturnType<Workspace['merge']> {
  const [one, two] = [await work.open('1'), await work.open('2')];
  first(one.directory);
  second(two.directory);
  const [before, after] = [await work.snapshot(one), await work.snapshot(two)];
  const merged = await work.merge('sess_1_one', before.commit ?? one.base);
  expect(merged.kind).toBe('merged');
  return work.merge('sess_1_two', after.commit ?? two.base);
}

const files = {
  'a.txt': Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join(''),
  'b.txt': 'b\n',
  'dir/c.txt': 'a longer content that a rename is told by\nsecond line\n',
  'dir/d.txt': 'another content that is not like the others\n',
  'run.sh': '#!/bin/sh\n',
  'bin.dat': Buffer.from([0, 1, 2, 3]),
};

describe('what goes together', () => {
  const edited = (line: number): string => files['a.txt'].replace(`line ${line}\n`, `LINE ${line}\n`);
  it.each<[string, Act, Act, Record<string, string | undefined>]>([
    [
      'different files from a stale base',
      write({ 'b.txt': 'new b\n', 'one.txt': '1\n' }),
      write({ 'two.txt': '2\n' }),
      { 'b.txt': '100644 new b\n', 'one.txt': '100644 1\n', 'two.txt': '100644 2\n' },
    ],
    [
      'different places of one file',
      write({ 'a.txt': edited(2) }),
      write({ 'a.txt': edited(20) }),
      { 'a.txt': `100644 ${edited(2).replace('line 20\n', 'LINE 20\n')}` },
    ],
    [
      'a deletion, and work elsewhere',
      gone('b.txt'),
      write({ 'two.txt': '2\n' }),
      { 'b.txt': undefined, 'two.txt': '100644 2\n' },
    ],
    [
      'a renamed file that the other changes',
      (directory) => renameSync(join(directory, 'dir/c.txt'), join(directory, 'moved.txt')),
      write({ 'dir/c.txt': `${files['dir/c.txt']}third\n` }),
      { 'dir/c.txt': undefined, 'moved.txt': `100644 ${files['dir/c.txt']}third\n` },
    ],
    [
      'a renamed folder, in whose old place the other adds a file',
      (directory) => renameSync(join(directory, 'dir'), join(directory, 'other')),
      write({ 'dir/new.txt': 'n\n' }),
      { 'dir/new.txt': '100644 n\n', 'other/c.txt': `100644 ${files['dir/c.txt']}`, 'dir/c.txt': undefined },
    ],
    [
      'a mode and a content',
      (directory) => chmodSync(join(directory, 'run.sh'), 0o755),
      write({ 'run.sh': '#!/bin/sh\necho\n' }),
      { 'run.sh': '100755 #!/bin/sh\necho\n' },
    ],
    [
      'a symlink and a binary file',
      (directory) => symlinkSync('b.txt', join(directory, 'link')),
      write({ 'bin.dat': Buffer.from([0, 255, 1]) }),
      { link: '120000 b.txt', 'bin.dat': '100644 \0ÿ\u0001' },
    ],
    ['the same change twice', write({ 'b.txt': 'same\n' }), write({ 'b.txt': 'same\n' }), { 'b.txt': '100644 same\n' }],
    ['the same deletion twice', gone('b.txt'), gone('b.txt'), { 'b.txt': undefined, 'run.sh': '100644 #!/bin/sh\n' }],
  ])('%s', async (_what, first, second, expected) => {
    const user = repository(files);
    const work = await workspaceOn(user);
    const end = await together(work, first, second);
    expect(end).toEqual({ kind: 'merged', commit: work.head(), foreign: 0 });
    expect(treeOf(user, work.repository.gitDir, work.head())).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, content]) => content !== undefined)),
    );
    const absent = Object.keys(expected).filter((path) => expected[path] === undefined);
    for (const path of absent) expect(treeOf(user, work.repository.gitDir, work.head())).not.toHaveProperty([path]);
  });
});

describe('attributes on the run’s branch', () => {
  it('say how git merges; a program that the settings name is not started', async () => {
    const user = repository({
      '.gitattributes': 'LOG.md merge=union\nown.txt merge=own\n',
      'sub/.gitattributes': 'lock merge=binary\n',
      'LOG.md': 'a\n',
      'own.txt': 'a\n',
      'sub/lock': files['a.txt'],
    });
    user.git('config', 'merge.own.driver', `touch '${join(user.folder, 'started')}'`);
    const work = await workspaceOn(user);
    const of = (name: string): Act => {
      return write({ 'LOG.md': `a\n${name}\n`, 'own.txt': `${name}\n`, 'sub/lock': lockOf(name) });
    };
    const lockOf = (name: string): string => files['a.txt'].replace(name === 'one' ? 'line 2\n' : 'line 20\n', name);
    const end = await together(work, of('one'), of('two'));
    expect(end).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'own.txt' }, { path: 'sub/lock' }] });
    expect(existsSync(join(user.folder, 'started'))).toBe(false);
    expect(readdirSync(join(user.folder, '.git')).filter((name) => name.startsWith('divisi-attributes'))).toEqual([]);
  });

  it('say so where the lines would go together without them', async () => {
    const work = await workspaceOn(repository({ '.gitattributes': 'lock merge=binary\n', lock: files['a.txt'] }));
    const change = (line: string): Act => write({ lock: files['a.txt'].replace(line, 'changed\n') });
    const end = await together(work, change('line 2\n'), change('line 20\n'));
    expect(end).toMatchObject({ kind: 'conflict', conflicts: [{ path: 'lock' }] });
  });
});

describe('what does not go together', () => {
  it.each<[string, Act, Act, { path: string; why: string; merged: string; own: string }[]]>([
    [
      'one line changed by both',
      write({ 'a.txt': files['a.txt'].replace('line 3\n', 'first\n=======\n') }),
      write({ 'a.txt': files['a.txt'].replace('line 3\n', 'second\n') }),
      [{ path: 'a.txt', why: 'both changed it', merged: 'first', own: expect.stringContaining('second') as string }],
    ],
    [
      'two places of a file',
      write({ 'a.txt': files['a.txt'].replace('line 3\n', 'f3\n').replace('line 20\n', 'f20\n') }),
      write({ 'a.txt': files['a.txt'].replace('line 3\n', 's3\n').replace('line 20\n', 's20\n') }),
      [{ path: 'a.txt', why: 'both changed it', merged: 'f3\n…\nf20', own: 's3\n…\ns20' }],
    ],
    [
      'a file added by both',
      write({ 'n.txt': 'one\n' }),
      write({ 'n.txt': 'two\n' }),
      [{ path: 'n.txt', why: 'both added it', merged: 'one', own: 'two' }],
    ],
    [
      'deleted there, changed here',
      gone('b.txt'),
      write({ 'b.txt': 'changed\n' }),
      [{ path: 'b.txt', why: 'deleted there, changed here', merged: '(not there)', own: 'changed\n' }],
    ],
    [
      'changed there, deleted here',
      write({ 'b.txt': 'changed\n' }),
      gone('b.txt'),
      [{ path: 'b.txt', why: 'changed there, deleted here', merged: 'changed\n', own: '(not there)' }],
    ],
    [
      'renamed there, deleted here',
      (directory) => renameSync(join(directory, 'dir/c.txt'), join(directory, 'moved.txt')),
      gone('dir/c.txt'),
      [
        {
          path: 'moved.txt',
          why: 'renamed on one side, deleted on the other',
          merged: files['dir/c.txt'],
          own: '(not there)',
        },
      ],
    ],
    [
      'a binary file',
      write({ 'bin.dat': Buffer.from([0, 1]) }),
      write({ 'bin.dat': Buffer.from([0, 2]) }),
      [{ path: 'bin.dat', why: 'both changed it, and it is binary', merged: '(no text)', own: '(no text)' }],
    ],
    [
      'a symlink and a file',
      (directory) => {
        rmSync(join(directory, 'b.txt'));
        symlinkSync('a.txt', join(directory, 'b.txt'));
      },
      write({ 'b.txt': 'text\n' }),
      [
        {
          path: 'b.txt',
          why: 'a file on one side, a symlink on the other',
          merged: '(a symlink to a.txt)',
          own: 'text\n',
        },
      ],
    ],
    [
      'a file and a folder',
      write({ x: 'file\n' }),
      write({ 'x/y.txt': 'in a folder\n' }),
      [{ path: 'x', why: 'a file on one side, a folder on the other', merged: 'file\n', own: '(not there)' }],
    ],
    [
      'a secret is not shown, and what is long is cut',
      write({ 'n.txt': `AWS_SECRET_ACCESS_KEY="${'k'.repeat(40)}"\n` }),
      write({ 'n.txt': 'long '.repeat(1000) }),
      [
        {
          path: 'n.txt',
          why: 'both added it',
          merged: 'AWS_SECRET_ACCESS_KEY="[redacted:aws]"',
          own: `${'long '.repeat(1000).slice(0, 1999)}…`,
        },
      ],
    ],
  ])('%s', async (_what, first, second, conflicts) => {
    const work = await workspaceOn(repository(files));
    const end = await together(work, first, second);
    expect(end).toMatchObject({ kind: 'conflict', onto: work.head() });
    expect(end.kind === 'conflict' && end.conflicts).toEqual(conflicts);
  });

  it('shows no more than twenty files', async () => {
    const many = (text: string): Act =>
      write(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}`, text])));
    const end = await together(await workspaceOn(repository()), many('one\n'), many('two\n'));
    expect(end.kind === 'conflict' && end.conflicts).toHaveLength(20);
  });
});

describe('exactly once', () => {
  it('finds its own commit after a crash between merge and record', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'b.txt': 'b\n' });
    const { commit = '' } = await work.snapshot(opened);
    const first = await work.merge('sess_1_a', commit);
    await work.settle('2', write({ 'c.txt': 'c\n' }));
    expect(await work.merge('sess_1_a', commit)).toEqual(first);
    expect(user.git('rev-list', '--count', `${work.base}..${work.branch}`)).toBe('2');
  });

  it('finds it also where another was recorded since', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'b.txt': 'b\n' });
    const { commit = '' } = await work.snapshot(opened);
    const first = await work.merge('sess_1_a', commit);
    await work.settle('2', write({ 'c.txt': 'c\n' }));
    expect(await work.merge('sess_1_a', commit, work.head())).toEqual(first);
  });

  it('gives the same commit on the same branch', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'b.txt': 'b\n' });
    const { commit = '' } = await work.snapshot(opened);
    const first = await work.merge('sess_1_a', commit);
    user.git('update-ref', `refs/heads/${work.branch}`, work.base);
    expect(await work.merge('sess_1_a', commit, work.base)).toEqual(first);
    expect(user.git('log', '-1', '--format=%B%an <%ae> %at %ct', work.branch)).toBe(
      `A task\n\nDivisi-Run: ${run}\nDivisi-Delegation: sess_1_a\n${identity.name} <${identity.email}> ${at / 1000} ${at / 1000}`,
    );
  });

  it('makes a commit also where nothing has changed, once', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const { base } = await work.open('1');
    await work.settle('2', write({ 'c.txt': 'c\n' }));
    const first = await work.merge('sess_1_a', base);
    expect(await work.merge('sess_1_a', base)).toEqual(first);
    expect(user.git('rev-list', '--count', `${work.base}..${work.branch}`)).toBe('2');
    expect(user.git('diff', '--stat', `${work.branch}~1`, work.branch)).toBe('');
  });

  it('goes by the last paragraph, whatever a message says', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const merge = (delegation: string): ReturnType<typeof mergeWork> =>
      mergeWork(work.repository, {
        branch: work.branch,
        knownHead: work.head(),
        base: work.base,
        commit: work.base,
        delegation,
        message: `Subject\n\n---\nDivisi-Delegation: sess_1_b\n\nDivisi-Delegation: sess_1_b\0`,
        trailers: [['Divisi-Task', 'one\ntwo: three']],
        identity,
        at,
      });
    const [first, second] = [await merge('sess_1_a'), await merge('sess_1_b')];
    expect(first).not.toEqual(second);
    expect(await merge('sess_1_a')).toEqual(first);
    expect(await merge('sess_1_b')).toEqual(second);
    expect(user.git('log', '-1', '--format=%(trailers)', work.branch).trim()).toBe(
      'Divisi-Task: one two: three\nDivisi-Delegation: sess_1_b',
    );
  });

  it('does not take anybody’s word for it: a commit that claims to be of another delegation is foreign', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    const tree = user.git('rev-parse', `${work.base}^{tree}`);
    const forged = user.git('commit-tree', tree, '-p', work.base, '-m', 'Mine\n\nDivisi-Delegation: sess_1_z');
    user.git('update-ref', `refs/heads/${work.branch}`, forged);
    writeIn(opened.directory, { 'good.txt': 'y' });
    const { commit = '' } = await work.snapshot(opened);
    expect(await work.merge('sess_1_a', commit)).toMatchObject({ kind: 'merged', foreign: 1 });
  });

  it('does not take an agent’s word for it: a commit with the trailer and other content counts as foreign', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    const forged = user.commit({ 'evil.txt': 'x' });
    user.git('commit', '--quiet', '--amend', '-m', 'Mine\n\nDivisi-Delegation: sess_1_a');
    user.git('update-ref', `refs/heads/${work.branch}`, 'HEAD');
    user.git('reset', '--quiet', '--hard', `${forged}^`);
    writeIn(opened.directory, { 'good.txt': 'y' });
    const { commit = '' } = await work.snapshot(opened);
    const end = await work.merge('sess_1_a', commit);
    expect(end).toEqual({ kind: 'merged', commit: work.head(), foreign: 1 });
    expect(user.git('rev-list', '--count', `${work.base}..${work.branch}`)).toBe('2');
  });

  it('twelve at once all find their place', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
    const opened = await Promise.all(names.map((name) => work.open(name)));
    const commits = await Promise.all(
      opened.map(async (one, at) => {
        writeIn(one.directory, { [`${names[at]}.txt`]: 'x' });
        return (await work.snapshot(one)).commit ?? '';
      }),
    );
    const ends = await Promise.all(commits.map((commit, at) => work.merge(`sess_1_${names[at]}`, commit)));
    expect(ends.every((end) => end.kind === 'merged')).toBe(true);
    const tree = Object.keys(treeOf(user, work.repository.gitDir, work.head()));
    expect(tree).toEqual(['a.txt', ...names.map((name) => `${name}.txt`)].toSorted());
    expect(user.git('rev-list', '--count', `${work.base}..${work.branch}`)).toBe('12');
  });
});

describe('a branch that others moved', () => {
  it('continues from what a person added, and counts it', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'b.txt': 'b\n' });
    const { commit = '' } = await work.snapshot(opened);
    const other = join(user.folder, '.divisi/person');
    mkdirSync(other, { recursive: true });
    user.git('worktree', 'add', '--quiet', other, work.branch);
    writeIn(other, { 'person.txt': 'p\n' });
    gitIn(other, user.environment, ['add', '-A']);
    gitIn(other, user.environment, ['commit', '-qm', 'By hand']);
    expect(await work.merge('sess_1_a', commit)).toMatchObject({
      kind: 'moved',
      message: expect.stringContaining('checked out in') as string,
    });
    user.git('worktree', 'remove', other);
    const merged = await work.merge('sess_1_a', commit);
    expect(merged).toEqual({ kind: 'merged', commit: work.head(), foreign: 1 });
    // Inspecting it there blocks nothing: it was done before.
    user.git('worktree', 'add', '--quiet', other, work.branch);
    expect(await work.merge('sess_1_a', commit, work.base)).toEqual(merged);
    user.git('worktree', 'remove', other);
    expect(Object.keys(treeOf(user, work.repository.gitDir, work.head()))).toEqual(['a.txt', 'b.txt', 'person.txt']);
  });

  it('is not merged into when it lost what was merged, or is gone', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    await work.settle('1', write({ 'b.txt': 'b\n' }));
    const known = work.head();
    user.git('update-ref', `refs/heads/${work.branch}`, work.base);
    expect(await work.merge('sess_1_b', work.base, known)).toMatchObject({
      kind: 'moved',
      message: expect.stringContaining('no longer contains') as string,
    });
    user.git('update-ref', '-d', `refs/heads/${work.branch}`);
    expect(await work.merge('sess_1_b', work.base, known)).toMatchObject({
      kind: 'moved',
      message: expect.stringContaining('is gone') as string,
    });
  });
});
