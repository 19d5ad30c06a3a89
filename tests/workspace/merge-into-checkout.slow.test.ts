/** Merging into the checkout: on the user's command, with their git, and without losing any of their files. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mergeBranchIntoCheckout } from '../../src/workspace/git/merge/merge-into-checkout.ts';
import {
  at,
  gitFolders,
  type GitFolder,
  identity,
  userState,
  type Workspace,
  workspaceOn,
  writeIn,
} from './git-project.ts';

const { plain, repository } = gitFolders();
const home = ({ repository: of, branch, base }: Workspace): ReturnType<typeof mergeBranchIntoCheckout> =>
  mergeBranchIntoCheckout(of, { branch, base, identity, at, style: 'usual', message: 'All of it', isSigned: false });
const text = (of: GitFolder, path: string): string => readFileSync(join(of.folder, path), 'utf8');

describe('into a repository', () => {
  it('fast-forward where possible', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    expect(await home(work)).toEqual({ kind: 'nothing' });
    await work.settle('1', (directory) => writeIn(directory, { 'a.txt': 'new\n', 'b.txt': 'b\n' }));
    user.write({ 'mine.txt': 'untracked\n' });
    expect(await home(work)).toMatchObject({ kind: 'merged', files: ['a.txt', 'b.txt'] });
    expect(user.git('rev-parse', 'main')).toBe(work.head());
    expect(user.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(await home(work)).toEqual({ kind: 'nothing' });
  });

  it('with a merge commit where the user has gone on, their hooks and their settings', async () => {
    const user = repository();
    user.git('config', 'merge.ff', 'only');
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { 'b.txt': 'b\n' }));
    user.commit({ 'c.txt': 'c\n' });
    const hook = join(user.folder, '.git/hooks/pre-merge-commit');
    writeFileSync(hook, '#!/bin/sh\ntouch hook-ran\n');
    chmodSync(hook, 0o755);
    expect(await home(work)).toMatchObject({ kind: 'merged', files: ['b.txt'] });
    expect(user.git('log', '-1', '--format=%an %p').split(' ')).toHaveLength(4);
    expect(existsSync(join(user.folder, 'hook-ran'))).toBe(true);
    expect(user.git('log', '-1', '--format=%s')).toBe(`Merge branch '${work.branch}'`);
  });

  it('from the branch, whatever tag has its name', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { 'b.txt': 'b\n' }));
    user.git('checkout', '--quiet', '--detach');
    user.commit({ 'evil.txt': 'x' });
    user.git('tag', work.branch);
    user.git('checkout', '--quiet', 'main');
    expect(await home(work)).toMatchObject({ kind: 'merged', files: ['b.txt'] });
    expect(existsSync(join(user.folder, 'evil.txt'))).toBe(false);
  });

  it.each<[string, (user: GitFolder) => void, RegExp]>([
    [
      'a hook of theirs refuses',
      (user) => {
        user.commit({ 'c.txt': 'c\n' });
        writeFileSync(join(user.folder, '.git/hooks/pre-merge-commit'), '#!/bin/sh\necho no good >&2\nexit 1\n');
        chmodSync(join(user.folder, '.git/hooks/pre-merge-commit'), 0o755);
      },
      /no good/,
    ],
    ['HEAD is detached', (user) => void user.git('checkout', '--quiet', '--detach'), /not on a branch/],
    [
      'a merge is in progress',
      (user) => {
        user.git('checkout', '--quiet', '-b', 'other');
        user.commit({ 'o.txt': 'o' });
        user.git('checkout', '--quiet', 'main');
        user.git('merge', '--quiet', '--no-ff', '--no-commit', 'other');
      },
      /a merge is in progress/,
    ],
    ['their changes would be overwritten', (user) => user.write({ 'a.txt': 'precious\n' }), /a\.txt/],
    ['an untracked file would be', (user) => user.write({ 'new.txt': 'precious\n' }), /new\.txt/],
    ['an ignored file would be', (user) => user.write({ 'kept.log': 'precious\n' }), /kept\.log/],
    ['a file in the way of a folder would be', (user) => user.write({ deep: 'precious\n' }), /deep/],
    [
      'a folder in the way of a file would be',
      (user) => user.write({ 'new.txt/x.log': 'precious\n' }),
      /new\.txt\/x\.log/,
    ],
  ])('is refused, and nothing is changed, where %s', async (_what, act, message) => {
    const user = repository({ 'a.txt': 'one\n', '.gitignore': '*.log\ndeep\n' });
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => {
      writeIn(directory, { 'a.txt': 'new\n', '.gitignore': '', 'kept.log': 'x', 'deep/er.txt': 'x', 'new.txt': 'x' });
    });
    act(user);
    // Git's own traces of a merge that it gave up; and files that it wrote and put back have another time.
    const trace = /^\.git\/(?:ORIG_HEAD|index|AUTO_MERGE|logs\/HEAD)$/;
    const state = (): string[] =>
      Object.entries(userState(user)).flatMap(([path, facts]) =>
        trace.test(path) ? [] : [`${path} ${facts.replace(/ \S+ /, ' ')}`],
      );
    const [before, status] = [state(), user.git('status', '--porcelain', '--ignored')];
    await expect(home(work)).rejects.toMatchObject({
      code: 'MERGE_REFUSED',
      message: expect.stringMatching(message) as string,
    });
    expect(state()).toEqual(before);
    expect(user.git('status', '--porcelain', '--ignored')).toBe(status);
  });

  it('says what is in conflict and touches nothing', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { 'a.txt': 'theirs\n', 'b.txt': 'b\n' }));
    user.commit({ 'a.txt': 'mine\n' });
    user.write({ 'c.txt': 'untracked' });
    const before = userState(user);
    expect(await home(work)).toEqual({ kind: 'conflict', files: ['a.txt'] });
    expect(userState(user)).toEqual(before);
  });
});

describe('into a folder that is not a repository', () => {
  const files = {
    'a.txt': 'one\n',
    'gone.txt': 'x\n',
    'run.sh': 'x\n',
    'dir/f.txt': 'f\n',
    '.gitignore': 'kept.log\n',
  };

  it('writes what differs: content, modes, symlinks, deletions', async () => {
    const user = plain(files);
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => {
      writeIn(directory, { 'a.txt': 'new\n', 'new/n.txt': 'n\n' });
      rmSync(join(directory, 'gone.txt'));
      rmSync(join(directory, 'dir'), { recursive: true });
      symlinkSync('a.txt', join(directory, 'dir'));
      chmodSync(join(directory, 'run.sh'), 0o755);
    });
    user.write({ 'mine.txt': 'mine\n' });
    expect(await home(work)).toMatchObject({
      kind: 'merged',
      files: ['a.txt', 'dir', 'dir/f.txt', 'gone.txt', 'new/n.txt', 'run.sh'],
    });
    expect(text(user, 'a.txt')).toBe('new\n');
    expect(text(user, 'new/n.txt')).toBe('n\n');
    expect(text(user, 'mine.txt')).toBe('mine\n');
    expect(existsSync(join(user.folder, 'gone.txt'))).toBe(false);
    expect(readlinkSync(join(user.folder, 'dir'))).toBe('a.txt');
    expect(lstatSync(join(user.folder, 'run.sh')).mode & 0o111).toBe(0o111);
    expect(await home(work)).toEqual({ kind: 'nothing' });
    const later = await workspaceOn(user);
    expect(later.base).not.toBe(work.base);
  });

  it('merges with what the user changed meanwhile, or says what is in conflict', async () => {
    const user = plain(files);
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { 'a.txt': 'new\n' }));
    user.write({ 'run.sh': 'mine\n' });
    expect(await home(work)).toMatchObject({ kind: 'merged', files: ['a.txt'] });
    expect(text(user, 'run.sh')).toBe('mine\n');
    await work.settle('2', (directory) => writeIn(directory, { 'run.sh': 'theirs\n' }));
    const before = userState(user);
    expect(await home(work)).toEqual({ kind: 'conflict', files: ['run.sh'] });
    expect(userState(user)).toEqual(before);
  });

  it('continues where a crash left half of it', async () => {
    const user = plain(files);
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { 'a.txt': 'new\n', 'b.txt': 'b\n' }));
    user.write({ 'a.txt': 'new\n' });
    expect(await home(work)).toMatchObject({ kind: 'merged', files: ['b.txt'] });
  });

  it('does not overwrite an ignored file, nor write through a symlink', async () => {
    const [user, outside] = [plain(files), plain({ 'f.txt': 'outside\n' })];
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { '.gitignore': '', 'kept.log': 'x' }));
    user.write({ 'kept.log': 'precious\n' });
    await expect(home(work)).rejects.toMatchObject({ code: 'MERGE_REFUSED' });
    rmSync(join(user.folder, 'kept.log'));
    await work.settle('2', (directory) => writeIn(directory, { 'dir/f.txt': 'new\n' }));
    rmSync(join(user.folder, 'dir'), { recursive: true });
    symlinkSync(outside.folder, join(user.folder, 'dir'));
    expect(await home(work)).toMatchObject({ kind: 'conflict' });
    expect(text(outside, 'f.txt')).toBe('outside\n');
  });
});
