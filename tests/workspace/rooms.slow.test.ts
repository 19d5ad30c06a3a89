/** Rooms: what an attempt starts from, what becomes of its files, and that no other files change. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openCheckout } from '../../src/workspace/git/room/make-room.ts';
import { changedLines } from '../../src/workspace/git/changed-lines.ts';
import { countLines } from '../../src/workspace/git/changes.ts';
import {
  committedText,
  diffText,
  filesAt,
  foldersAt,
  ignoredPaths,
  renamesBetween,
} from '../../src/workspace/git/look-up.ts';
import { openRoom } from '../../src/workspace/git/room/open-room.ts';
import { listRooms, removeRefs, removeRoom } from '../../src/workspace/git/room/remove-room.ts';
import { pristineIndex } from '../../src/workspace/git/room/room-record.ts';
import { stateFolder } from '../../src/workspace/places.ts';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { at, gitFolders, gitIn, identity, run, treeOf, userState, workspaceOn, writeIn } from './git-project.ts';

const { repository } = gitFolders();

describe('a new room', () => {
  it('has the files of the run branch, a repository of its own and a folder outside the checkout', async () => {
    const user = repository({ 'a.txt': 'one\n', 'src/b.txt': 'two\n' });
    const work = await workspaceOn(user);
    const opened = await work.open('2.3');
    const folder = join(work.repository.rooms, run.slice(-8), '2.3');
    expect(folder.startsWith(join(user.environment['HOME'] ?? '', 'divisi-rooms'))).toBe(true);
    expect(opened).toEqual({
      folder,
      branch: `divisi-task/${run}/2.3-1`,
      base: work.base,
      directory: folder,
      isWarm: false,
    });
    expect(readFileSync(join(opened.directory, 'src/b.txt'), 'utf8')).toBe('two\n');
    expect(gitIn(opened.directory, user.environment, ['status', '--porcelain'])).toBe('');
    expect(gitIn(opened.directory, user.environment, ['branch', '--all'])).toBe('* work');
    expect(gitIn(opened.directory, user.environment, ['remote'])).toBe('');
    expect(gitIn(opened.directory, user.environment, ['rev-list', 'HEAD'])).toBe(work.base);
    expect(user.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('sees what was merged before, and not what the user has not committed', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    user.write({ 'a.txt': 'not committed\n', 'new.txt': 'untracked\n' });
    await work.settle('1.1', (directory) => writeIn(directory, { 'b.txt': 'by 1.1\n' }));
    const { directory, base } = await work.open('1.2');
    expect(base).toBe(work.head());
    expect(readdirSync(directory).toSorted()).toEqual(['.git', 'a.txt', 'b.txt']);
    expect(readFileSync(join(directory, 'a.txt'), 'utf8')).toBe('one\n');
  });

  it('takes the place of one that a crash left half there', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const first = await work.open('1.1');
    writeIn(first.directory, { 'a.txt': 'half', 'rest.txt': 'x' });
    rmSync(join(first.directory, '.git'), { recursive: true });
    const again = await work.open('1.1');
    expect(again).toEqual(first);
    expect(readFileSync(join(again.directory, 'a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(join(again.directory, 'rest.txt'))).toBe(false);
  });

  it('is of the whole repository where the project is a part of it', async () => {
    const user = repository({ 'packages/a/x.txt': '1\n', 'packages/b/y.txt': '2\n' });
    const work = await workspaceOn(user, join(user.folder, 'packages/a'));
    expect(work.repository).toMatchObject({ kind: 'git', prefix: 'packages/a/', top: user.folder });
    const opened = await work.open('1');
    expect(opened.directory).toBe(join(opened.folder, 'packages/a'));
    writeIn(opened.directory, { 'x.txt': 'changed\n', '../b/y.txt': 'changed\n', '../../top.txt': 'new\n' });
    const { changes } = await work.snapshot(opened);
    expect(changes.map(({ path }) => path)).toEqual(['x.txt', ':/packages/b/y.txt', ':/top.txt']);
  });

  it('works with names that have spaces, quotes, line ends and other alphabets', async () => {
    const names = [
      'a b.txt',
      'ü/ñ ☃.txt',
      'quo"te\\.txt',
      'two\nlines.txt',
      'tab\there.txt',
      '-dash.txt',
      ':(top)x',
      '*.txt',
    ];
    const user = repository(Object.fromEntries(names.map((name) => [name, 'before\n'])));
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, Object.fromEntries(names.map((name) => [name, `after ${name}\n+++ b/x\n`])));
    const { changes, commit = '' } = await work.snapshot(opened);
    expect(changes.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
    // A name with a line end gives two lines.
    expect(countLines(changes).linesAdded).toBe(names.length * 2 + 1);
    const { files } = await changedLines(work.repository, { base: work.base, commit, mostBytes: 100_000 });
    expect(Object.fromEntries(files.map(({ path, added }) => [path, added.at(-1)?.text]))).toEqual(
      Object.fromEntries(names.map((name) => [name, '+++ b/x'])),
    );
    expect(new Set((await filesAt(work.repository, commit, names)).keys())).toEqual(new Set(names));
    expect(await work.merge('sess_1_a', commit)).toMatchObject({ kind: 'merged' });
  });

  it('works in a shallow clone', async () => {
    const origin = repository();
    origin.commit({ 'a.txt': 'two\n' });
    const user = repository();
    user.git('fetch', '--quiet', '--depth=1', `file://${origin.folder}`, 'main');
    user.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
    expect(user.git('rev-list', '--count', 'HEAD')).toBe('1');
    const work = await workspaceOn(user);
    const [first, second] = [await work.open('1'), await work.open('2')];
    writeIn(first.directory, { 'one.txt': '1' });
    writeIn(second.directory, { 'two.txt': '2' });
    await work.merge('sess_1_a', (await work.snapshot(first)).commit ?? '');
    await work.merge('sess_1_b', (await work.snapshot(second)).commit ?? '');
    expect(Object.keys(treeOf(user, work.repository.gitDir, work.head()))).toEqual(['a.txt', 'one.txt', 'two.txt']);
  });

  it('is whole also where the user makes their own checkout sparse meanwhile', async () => {
    const user = repository({ 'a/x.txt': '1\n', 'b/y.txt': '2\n' });
    const work = await workspaceOn(user);
    user.git('sparse-checkout', 'set', 'a');
    const opened = await work.open('1');
    expect(readdirSync(opened.directory).toSorted()).toEqual(['.git', 'a', 'b']);
    writeIn(opened.directory, { 'b/y.txt': 'changed\n', 'b/new.txt': 'new\n' });
    expect((await work.snapshot(opened)).changes.map(({ path }) => path)).toEqual(['b/new.txt', 'b/y.txt']);
  });

  it('works from a linked worktree of the user', async () => {
    const user = repository();
    user.git('worktree', 'add', '--quiet', '-b', 'side', join(user.folder, 'linked'));
    const linked = join(user.folder, 'linked');
    writeIn(linked, { 'side.txt': 'x' });
    gitIn(linked, user.environment, ['add', '-A']);
    gitIn(linked, user.environment, ['commit', '--quiet', '-m', 'side']);
    const work = await workspaceOn(user, linked);
    expect(work.repository.gitDir).toBe(join(user.folder, '.git'));
    const { directory } = await work.open('1');
    expect(existsSync(join(directory, 'side.txt'))).toBe(true);
  });
});

describe('a room that borrows the objects of the repository', () => {
  it('survives a user who deletes the branch of the run and prunes', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { 'b.txt': 'by 1\n' }));
    const opened = await work.open('2');
    user.git('branch', '-D', work.branch);
    user.git('reflog', 'expire', '--expire=now', '--all');
    user.git('gc', '--quiet', '--prune=now');
    expect(gitIn(opened.directory, user.environment, ['log', '--format=%s'])).toBe('A task\nA commit of the user');
    writeIn(opened.directory, { 'c.txt': 'x' });
    expect((await work.snapshot(opened)).changes).toMatchObject([{ path: 'c.txt' }]);
  });

  it('reads what the repository borrows itself, by a relative path', async () => {
    const [origin, user] = [repository(), repository()];
    user.git('fetch', '--quiet', origin.folder, 'main');
    const shared = origin.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'Only there');
    const path = relative(join(user.folder, '.git/objects'), join(origin.folder, '.git/objects'));
    writeIn(user.folder, { '.git/objects/info/alternates': `${path}\n` });
    user.git('reset', '--quiet', '--hard', shared);
    const { directory } = await (await workspaceOn(user)).open('1');
    expect(gitIn(directory, user.environment, ['log', '-1', '--format=%s'])).toBe('Only there');
  });
});

describe('what is not the run’s business', () => {
  it('neither hooks nor signing take part, and the user’s files stay byte for byte', async () => {
    const user = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    const hook = '#!/bin/sh\necho ran >> "$(git rev-parse --git-common-dir)/hook-ran"\nexit 1\n';
    for (const name of ['pre-commit', 'commit-msg', 'post-checkout', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(user.folder, '.git/hooks', name), hook);
    }
    for (const [key, value] of [
      ['commit.gpgSign', 'true'],
      ['gpg.program', '/nonexistent'],
      ['core.trustctime', 'false'],
      ['log.showSignature', 'true'],
    ]) {
      user.git('config', key ?? '', value ?? '');
    }
    user.write({ 'a.txt': 'stashed\n' });
    user.git('stash', 'push', '--quiet');
    user.write({ 'a.txt': 'staged\n', 'b.txt': 'not staged\n', 'c.txt': 'untracked\n' });
    user.git('add', 'a.txt');
    for (const name of readdirSync(join(user.folder, '.git/hooks')))
      chmodSync(join(user.folder, '.git/hooks', name), 0o755);
    const before = userState(user);

    const work = await workspaceOn(user);
    const first = await work.open('1');
    writeIn(first.directory, { 'a.txt': 'by a task\n' });
    await work.settle('2', (directory) => writeIn(directory, { 'd.txt': 'x' }));
    const { commit = '' } = await work.snapshot(first);
    expect(await work.merge('sess_1_x', commit)).toMatchObject({ kind: 'merged', foreign: 0 });
    const carried = await work.open('1', { attempt: 2, carry: { room: first, exclude: [], identity, at } });
    expect(carried.carried).toBeUndefined();
    const checkout = await openCheckout(work.repository, { run, name: 'wave 1', commit: work.head(), identity });
    await ignoredPaths(work.repository, carried.folder, ['a.txt']);
    await diffText(work.repository, { from: work.base, to: work.head() });
    for (const { folder } of [...(await listRooms(work.repository)), checkout]) {
      await removeRoom(work.repository, { folder });
    }
    expect(userState(user)).toEqual(before);
    expect(user.git('status', '--porcelain')).toBe('M  a.txt\n M b.txt\n?? c.txt');
    expect(await listRooms(work.repository)).toEqual([]);
    expect(user.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('variables that point git elsewhere are not passed on', async () => {
    const [user, other] = [repository(), repository({ 'other.txt': 'x' })];
    const environment = { ...user.environment, GIT_DIR: join(other.folder, '.git'), GIT_WORK_TREE: other.folder };
    const found = await findRepository(user.folder, environment);
    expect(found.gitDir).toBe(join(user.folder, '.git'));
  });
});

describe('a snapshot', () => {
  it('says what came, changed and went, with modes and lines', async () => {
    const user = repository({
      'edit.txt': '1\n2\n3\n',
      'gone.txt': 'x\n',
      'run.sh': 'echo\n',
      'bin.dat': Buffer.from([0, 1, 2]),
      'moved.txt': 'the same\ncontent\n',
    });
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    const { directory } = opened;
    writeIn(directory, {
      'edit.txt': '1\ntwo\n3\n4\n',
      'new/n.txt': 'n\n',
      'bin.dat': Buffer.from([0, 9]),
      'to.txt': 'the same\ncontent\n',
    });
    for (const path of ['gone.txt', 'moved.txt']) rmSync(join(directory, path));
    chmodSync(join(directory, 'run.sh'), 0o755);
    symlinkSync('../../outside', join(directory, 'link'));
    const { changes, commit = '' } = await work.snapshot(opened);
    const none = { binary: false, linesAdded: 0, linesDeleted: 0 };
    const blob = expect.stringMatching(/^[0-9a-f]{40}$/) as string;
    expect(changes).toEqual([
      { path: 'bin.dat', change: 'edited', blob, mode: '100644', ...none, binary: true },
      { path: 'edit.txt', change: 'edited', blob, mode: '100644', binary: false, linesAdded: 2, linesDeleted: 1 },
      { path: 'gone.txt', change: 'deleted', mode: '100644', ...none, linesDeleted: 1 },
      { path: 'link', change: 'added', blob, mode: '120000', ...none, linesAdded: 1 },
      { path: 'moved.txt', change: 'deleted', mode: '100644', ...none, linesDeleted: 2 },
      { path: 'new/n.txt', change: 'added', blob, mode: '100644', ...none, linesAdded: 1 },
      { path: 'run.sh', change: 'edited', blob, mode: '100755', oldMode: '100644', ...none },
      { path: 'to.txt', change: 'added', blob, mode: '100644', ...none, linesAdded: 2 },
    ]);
    expect(countLines(changes)).toEqual({ linesAdded: 6, linesDeleted: 4 });
    expect(user.git('log', '-1', '--format=%P %an <%ae> %ct %s', commit)).toBe(
      `${work.base} ${identity.name} <${identity.email}> ${at / 1000} Work`,
    );
    expect(user.git('rev-parse', opened.branch)).toBe(commit);
    const { files } = await changedLines(work.repository, { base: work.base, commit, mostBytes: 100_000 });
    expect(files.find(({ path }) => path === 'edit.txt')).toEqual({
      path: 'edit.txt',
      added: [
        { line: 2, text: 'two' },
        { line: 4, text: '4' },
      ],
      removed: ['2'],
    });
    expect(files.find(({ path }) => path === 'gone.txt')).toEqual({ path: 'gone.txt', added: [], removed: ['x'] });
    expect(await changedLines(work.repository, { base: work.base, commit, mostBytes: 50 })).toMatchObject({
      complete: false,
    });
    const asText = { base: work.base, commit, mostBytes: 100_000, asText: ['bin.dat'] };
    const read = await changedLines(work.repository, asText);
    expect(read).toMatchObject({ files: [{ path: 'bin.dat', added: [{ line: 1, text: '\0\t' }] }], complete: true });
    expect(await renamesBetween(work.repository, work.base, commit)).toEqual(new Map([['to.txt', 'moved.txt']]));
    expect(await committedText(work.repository, commit, 'new/n.txt')).toBe('n\n');
    expect(await committedText(work.repository, work.base, 'new/n.txt')).toBeUndefined();
    expect(await foldersAt(work.repository, commit, ['new', 'edit.txt', 'none'])).toEqual(new Set(['new']));
  });

  it('of the same files is the same commit, and of no change none', async () => {
    const work = await workspaceOn(repository());
    const opened = await work.open('1');
    expect(await work.snapshot(opened)).toEqual({ changes: [], bySetUp: [] });
    writeIn(opened.directory, { 'b.txt': 'x' });
    const { commit } = await work.snapshot(opened);
    expect((await work.snapshot(opened)).commit).toBe(commit);
    expect((await work.snapshot(opened, { message: 'Other' })).commit).not.toBe(commit);
  });

  it('sees a change of the same length in the same second, with the old time put back', async () => {
    const work = await workspaceOn(repository());
    const opened = await work.open('1');
    const file = join(opened.directory, 'a.txt');
    const { atime, mtime } = lstatSync(file);
    writeFileSync(file, 'two\n');
    utimesSync(file, atime, mtime);
    // By now the index looks older than the file; a copy of it that does not would hide the change.
    await sleep(1100);
    expect((await work.snapshot(opened)).changes).toMatchObject([{ path: 'a.txt', change: 'edited' }]);
  });

  it('goes by the time that no one can put back, though the user’s git is set not to', async () => {
    const user = repository();
    user.git('config', 'core.trustctime', 'false');
    user.git('config', 'core.checkStat', 'minimal');
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    const file = join(opened.directory, 'a.txt');
    // As after a checkout that took seconds: git trusts what the index says about the first files.
    const soon = new Date(Date.now() + 5000);
    utimesSync(pristineIndex(work.repository, opened.folder), soon, soon);
    await sleep(1100);
    const { atime, mtime } = lstatSync(file);
    writeFileSync(file, 'two\n');
    utimesSync(file, atime, mtime);
    expect((await work.snapshot(opened)).changes).toMatchObject([{ path: 'a.txt', change: 'edited' }]);
  });

  it.each([
    ['commits', ['add -A', 'commit -qm mine']],
    ['commits and goes back', ['add -A', 'commit -qm mine', 'reset -q --soft HEAD~1', 'reset -q']],
    ['switches to another branch', ['add -A', 'checkout -q -b elsewhere', 'commit -qm mine']],
    ['detaches', ['checkout -q --detach']],
    ['hides files in its index', ['update-index --assume-unchanged a.txt', 'update-index --skip-worktree b.txt']],
    ['empties its index', ['rm -r -q --cached .']],
    ['sets up a sparse checkout', ['sparse-checkout set --no-cone /c.txt /a.txt /b.txt /new.txt']],
    ['deletes its branch', ['checkout -q --detach', 'branch -D work']],
  ])('does not mind an agent that %s', async (_what, commands) => {
    const user = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'a.txt': 'changed\n', 'new.txt': 'n\n' });
    rmSync(join(opened.directory, 'c.txt'));
    for (const command of commands) {
      gitIn(opened.directory, user.environment, command.split(' '));
    }
    writeIn(opened.directory, { 'b.txt': 'also\n' });
    const { changes, commit = '' } = await work.snapshot(opened);
    expect(changes.map(({ path, change }) => `${change} ${path}`)).toEqual([
      'edited a.txt',
      'edited b.txt',
      'deleted c.txt',
      'added new.txt',
    ]);
    expect(user.git('rev-parse', `${commit}^`)).toBe(opened.base);
  });

  it.each([
    ['removes .git', (folder: string): void => rmSync(join(folder, '.git'), { recursive: true })],
    [
      'points .git elsewhere',
      (folder: string): void => {
        rmSync(join(folder, '.git'), { recursive: true });
        writeFileSync(join(folder, '.git'), 'gitdir: /nonexistent\n');
      },
    ],
    [
      'sets up filters, hooks and attributes',
      (folder: string): void => {
        const config = '[filter "x"]\n\tclean = touch ran\n[core]\n\tfsmonitor = touch ran\n\thooksPath = .\n';
        writeFileSync(join(folder, '.git/config'), config, { flag: 'a' });
        writeFileSync(join(folder, '.git/info/attributes'), '* filter=x\n');
      },
    ],
  ])('does not mind an agent that %s', async (_what, act) => {
    const user = repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'a.txt': 'changed\n' });
    act(opened.directory);
    const { changes } = await work.snapshot(opened);
    expect(changes).toMatchObject([{ path: 'a.txt', change: 'edited' }]);
    await removeRoom(work.repository, { folder: opened.folder });
    await removeRefs(work.repository, { branches: [opened.branch] });
    expect(existsSync(opened.directory)).toBe(false);
    expect(user.git('branch', '--list', 'divisi-task/*')).toBe('');
  });

  it('shows a repository that an agent made inside, with a commit or without', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    for (const name of ['empty', 'full']) {
      mkdirSync(join(opened.directory, name));
      gitIn(join(opened.directory, name), user.environment, ['init', '--quiet']);
      writeIn(opened.directory, { [`${name}/f.txt`]: 'x' });
    }
    gitIn(join(opened.directory, 'full'), user.environment, ['add', '-A']);
    gitIn(join(opened.directory, 'full'), user.environment, ['commit', '--quiet', '-m', 'x']);
    writeIn(opened.directory, { 'z.txt': 'x' });
    const { changes } = await work.snapshot(opened);
    expect(changes.map(({ path, mode }) => `${mode} ${path}`)).toEqual(['160000 full', '100644 z.txt', '160000 empty']);
  });

  it('leaves out what git does not take, and has its words', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'git~1': 'x', 'good.txt': 'x' });
    const { changes, refused } = await work.snapshot(opened);
    expect(changes.map(({ path }) => path)).toEqual(['good.txt']);
    expect(refused).toContain("invalid path 'git~1'");
    const carry = { room: opened, exclude: [], identity, at };
    const next = await work.open('1', { attempt: 2, carry });
    expect(readdirSync(next.directory).toSorted()).toEqual(['.git', 'a.txt', 'good.txt']);
    expect(existsSync(join(`${next.folder}-1_aside`, 'git~1'))).toBe(true);
    rmSync(join(next.directory, 'good.txt'));
    writeIn(next.directory, { '.gitattributes': '* working-tree-encoding=nonsense\n' });
    expect(await work.snapshot(next)).toMatchObject({ changes: [], refused: expect.stringContaining('nonsense') });
    writeFileSync(pristineIndex(work.repository, next.folder), 'no index');
    expect(await work.snapshot(next)).toMatchObject({ changes: [], refused: expect.stringMatching(/index/) });
  });

  it('of a repository that no longer accepts anything is a failure', async () => {
    const work = await workspaceOn(repository());
    const opened = await work.open('1');
    writeIn(opened.directory, { 'b.txt': 'x' });
    rmSync(join(work.repository.gitDir, 'objects'), { recursive: true });
    writeFileSync(join(work.repository.gitDir, 'objects'), '');
    await expect(work.snapshot(opened)).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  it('is not made of what an agent has put in the place of its folder', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    rmSync(opened.directory, { recursive: true });
    symlinkSync(user.folder, opened.directory);
    user.write({ 'private.txt': 'x' });
    await expect(work.snapshot(opened)).rejects.toThrow('is gone');
    const carry = { room: opened, exclude: [], identity, at };
    expect((await work.open('1', { attempt: 2, carry })).carried).toBeUndefined();
  });

  it('leaves out what is ignored and what is excluded, and says which is ignored', async () => {
    const user = repository({ '.gitignore': '*.log\n/out/\n', 'kept.log.txt': 'x', 'dir/a.txt': '1' });
    user.git('add', '-f', '.gitignore');
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    symlinkSync('/', join(opened.directory, 'beyond'));
    writeIn(opened.directory, {
      'x.log': '1',
      'out/o.txt': '2',
      'report/r.md': '3',
      'dir/a.txt': '4',
      'ok.txt': '5',
      report2: '',
    });
    const { changes } = await work.snapshot(opened, { exclude: ['report', 'dir/a.txt', 'beyond'] });
    expect(changes.map(({ path }) => path)).toEqual(['ok.txt', 'report2']);
    const asked = ['x.log', 'out/o.txt', 'ok.txt', 'not-there.log', '../x.log', 'beyond/etc/x.log'];
    expect(await ignoredPaths(work.repository, opened.folder, asked)).toEqual(
      new Set(['x.log', 'out/o.txt', 'not-there.log']),
    );
  });
});

describe('what a room gets from the checkout', () => {
  it('links and copies what is there, inside, and not there yet', async () => {
    const user = repository({ '.gitignore': 'node_modules\n.env\nout\n', 'tracked.txt': 'committed\n' });
    user.write({
      'node_modules/p/i.js': '1',
      '.env': 'A=1\n',
      'deep/er/data.bin': 'x',
      'tracked.txt': 'not committed\n',
    });
    symlinkSync('/etc', join(user.folder, 'out'));
    const work = await workspaceOn(user);
    const { directory } = await work.open('1', {
      link: ['node_modules', 'out', 'missing', '../x', '/etc/passwd', '.', '.divisi'],
      copy: ['.env', 'deep/er', 'tracked.txt'],
    });
    expect(readdirSync(directory).toSorted()).toEqual([
      '.env',
      '.git',
      '.gitignore',
      'deep',
      'node_modules',
      'tracked.txt',
    ]);
    expect(readlinkSync(join(directory, 'node_modules'))).toBe(join(user.folder, 'node_modules'));
    writeIn(directory, { '.env': 'A=2\n', 'deep/er/data.bin': 'y' });
    expect(readFileSync(join(user.folder, '.env'), 'utf8')).toBe('A=1\n');
    expect(readFileSync(join(user.folder, 'deep/er/data.bin'), 'utf8')).toBe('x');
    expect(readFileSync(join(directory, 'tracked.txt'), 'utf8')).toBe('committed\n');
    await removeRoom(work.repository, { folder: directory });
    expect(existsSync(join(user.folder, 'node_modules/p/i.js'))).toBe(true);
  });

  it('never through a symlink that the commit has', async () => {
    const user = repository();
    const outside = repository();
    symlinkSync(outside.folder, join(user.folder, 'way'));
    user.commit({});
    rmSync(join(user.folder, 'way'));
    user.write({ 'way/in.txt': 'x' });
    const work = await workspaceOn(user);
    await expect(work.open('1', { link: [], copy: ['way/in.txt'] })).rejects.toMatchObject({ code: 'PATH_OUTSIDE' });
    expect(existsSync(join(outside.folder, 'in.txt'))).toBe(false);
    expect(await listRooms(work.repository)).toEqual([]);
  });
});

describe('continuing an earlier attempt', () => {
  it('finds the same room, ignored files included, where nothing was merged since', async () => {
    const user = repository({ '.gitignore': 'cache\n' });
    const work = await workspaceOn(user);
    const first = await work.open('1');
    writeIn(first.directory, { 'new.txt': 'n\n', 'cache/x': 'built' });
    const carry = { room: first, exclude: [], identity, at };
    const second = await work.open('1', { attempt: 2, carry });
    const { commit } = await work.snapshot(second);
    expect(second).toMatchObject({ isWarm: true, folder: first.folder, carried: user.git('rev-parse', first.branch) });
    expect(readFileSync(join(second.directory, 'cache/x'), 'utf8')).toBe('built');
    expect(user.git('rev-parse', second.branch)).toBe(commit);
  });

  it('lays its files out, uncommitted, on what was merged since', async () => {
    const user = repository({ 'a.txt': 'one\n', 'gone.txt': 'x\n' });
    const work = await workspaceOn(user);
    const first = await work.open('1');
    writeIn(first.directory, { 'a.txt': 'half done\n', 'new.txt': 'n\n' });
    rmSync(join(first.directory, 'gone.txt'));
    await work.settle('2', (directory) => writeIn(directory, { 'other.txt': 'by 2\n' }));
    const second = await work.open('1', { attempt: 2, carry: { room: first, exclude: [], identity, at } });
    expect(second.base).toBe(work.head());
    expect(second.carried).toBe(user.git('rev-parse', first.branch));
    expect(second.directory).toBe(first.directory);
    expect(gitIn(second.directory, user.environment, ['status', '--porcelain'])).toBe(
      ' M a.txt\n D gone.txt\n?? new.txt',
    );
    expect(existsSync(join(second.directory, 'other.txt'))).toBe(true);
    const { changes } = await work.snapshot(second);
    expect(changes.map(({ path }) => path)).toEqual(['a.txt', 'gone.txt', 'new.txt']);
  });

  it('takes the branch where the files are gone, and nothing where it does not go together', async () => {
    const work = await workspaceOn(repository());
    const first = await work.open('1');
    writeIn(first.directory, { 'b.txt': 'mine\n' });
    const { commit } = await work.snapshot(first);
    await removeRoom(work.repository, { folder: first.folder });
    const carry = { room: first, exclude: [], identity, at };
    const second = await work.open('1', { attempt: 2, carry });
    expect(second.carried).toBe(commit);
    await work.settle('2', (directory) => writeIn(directory, { 'b.txt': 'theirs\n' }));
    const third = await work.open('1', { attempt: 3, carry: { ...carry, room: second } });
    expect(third.carried).toBeUndefined();
    expect(readFileSync(join(third.directory, 'b.txt'), 'utf8')).toBe('theirs\n');
  });
});

describe('a project that is moved', () => {
  it('keeps its rooms: the work in them is continued, on the repository where it is now', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const first = await work.open('1');
    writeIn(first.directory, { 'half.txt': 'half\n' });
    const moved = `${user.folder}-moved`;
    renameSync(user.folder, moved);
    const [before, after] = [work.repository.state, stateFolder(moved, user.environment)];
    renameSync(before, after);
    const found = await findRepository(moved, user.environment);
    expect(found.rooms).toBe(work.repository.rooms);
    const carry = { room: first, exclude: [], identity, at };
    const spec = { run, task: '1', attempt: 2, branch: work.branch, identity, link: [], copy: [], carry };
    const second = await openRoom(found, spec);
    expect(second).toMatchObject({ isWarm: false, folder: first.folder, carried: expect.any(String) });
    expect(readFileSync(join(second.directory, 'half.txt'), 'utf8')).toBe('half\n');
    expect(gitIn(second.directory, user.environment, ['log', '--format=%s'])).toBe('A commit of the user');
    await removeRoom(found, { folder: second.folder });
    // The last one is gone: new rooms go where the project's own are.
    expect((await findRepository(moved, user.environment)).rooms).not.toBe(work.repository.rooms);
    renameSync(moved, user.folder);
  });
});

describe('removing', () => {
  it('takes folder, record and branch, and may be asked again', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    expect(await listRooms(work.repository)).toEqual([{ shortRun: run.slice(-8), name: '1', folder: opened.folder }]);
    mkdirSync(join(opened.directory, 'cache/deep'), { recursive: true });
    writeFileSync(join(opened.directory, 'cache/deep/f'), '');
    chmodSync(join(opened.directory, 'cache/deep'), 0o500);
    for (let time = 0; time < 2; time += 1) await removeRoom(work.repository, { folder: opened.folder });
    await removeRefs(work.repository, { branches: [opened.branch] });
    expect(readdirSync(work.repository.rooms)).toEqual([]);
    expect(existsSync(pristineIndex(work.repository, opened.folder))).toBe(false);
    expect(user.git('branch', '--list', 'divisi-task/*')).toBe('');
  });

  it('that a crash interrupted leaves nothing that looks like work, and is ended by the next', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'b.txt': 'b\n' });
    const { commit } = await work.snapshot(opened);
    // As it stands when the first half of the files is gone.
    renameSync(opened.directory, `${opened.directory}_gone`);
    rmSync(join(`${opened.directory}_gone`, 'a.txt'));
    const carry = { room: opened, exclude: [], identity, at };
    expect(await work.open('1', { attempt: 2, carry })).toMatchObject({ carried: commit });
    expect((await listRooms(work.repository)).map(({ name }) => name)).toEqual(['1']);
  });

  it('keeps a branch that someone has checked out elsewhere', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    const { branch } = opened;
    writeIn(opened.directory, { 'b.txt': 'x' });
    await work.snapshot(opened);
    user.git('checkout', '--quiet', branch);
    expect(await removeRefs(work.repository, { branches: [branch] })).toEqual([branch]);
    expect(user.git('status', '--short', '--branch', '--untracked-files=no')).toBe(`## ${branch}`);
    user.git('checkout', '--quiet', 'main');
    expect(await removeRefs(work.repository, { branches: [branch] })).toEqual([]);
    expect(user.git('branch', '--list', 'divisi-task/*')).toBe('');
  });

  it('keeps the branch unless asked, and worktrees of the user that are away for now', async () => {
    const user = repository();
    user.git('worktree', 'add', '--quiet', '-b', 'usb', join(user.folder, 'usb'));
    rmSync(join(user.folder, 'usb'), { recursive: true });
    const work = await workspaceOn(user);
    const opened = await work.open('1');
    writeIn(opened.directory, { 'b.txt': 'x' });
    await work.snapshot(opened);
    await removeRoom(work.repository, { folder: opened.folder });
    expect(user.git('branch', '--list', 'divisi-task/*').trim()).toBe(opened.branch);
    expect(user.git('worktree', 'list')).toContain('[usb]');
  });

  it.each(['src', 'ROOMS', 'ROOMS/x', 'ROOMS/x/../../..', 'ROOMS/./x', 'ROOMS/a/.git', '/etc', '/etc/a/b'])(
    'refuses %s',
    async (path) => {
      const work = await workspaceOn(repository());
      const folder = path.replace('ROOMS', work.repository.rooms);
      await expect(removeRoom(work.repository, { folder })).rejects.toThrow('is not a room');
    },
  );

  it('does not follow a symlink', async () => {
    const [user, outside] = [repository(), repository({ 'x/keep.txt': '' })];
    const work = await workspaceOn(user);
    const { rooms } = work.repository;
    mkdirSync(rooms, { recursive: true });
    symlinkSync(outside.folder, join(rooms, 'r'));
    await removeRoom(work.repository, { folder: join(rooms, 'r/x') });
    expect(existsSync(join(outside.folder, 'x/keep.txt'))).toBe(true);
  });
});

describe('being told to stop', () => {
  it('leaves no room and no process', async () => {
    const files = Array.from({ length: 300 }, (_, file) => [`src/${file}.txt`, `${file}\n`] as const);
    const user = repository(Object.fromEntries(files));
    const work = await workspaceOn(user);
    for (const patience of [0, 5, 15, 30]) {
      const spec = { run, task: '1', attempt: 1, branch: work.branch, identity, link: [], copy: [] };
      const ended = await openRoom(work.repository, spec, AbortSignal.timeout(patience)).catch(
        (error: unknown) => error,
      );
      // A fast machine may be done before it is told.
      const isStopped = ended instanceof Error && ended.name === 'TimeoutError';
      expect(isStopped ? await listRooms(work.repository) : []).toEqual([]);
    }
    const stop = AbortSignal.abort('enough');
    const spec = { run, task: '2', attempt: 1, branch: work.branch, identity, link: [], copy: [] };
    await expect(openRoom(work.repository, spec, stop)).rejects.toBe('enough');
    expect((await work.open('1')).base).toBe(work.base);
  });
});
