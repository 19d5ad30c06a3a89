/** Rooms of repositories with submodules and large files: what they have, and what a snapshot makes of it. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepSetUp } from '../../src/workspace/git/room/set-up.ts';
import {
  at,
  gitFolders,
  type GitFolder,
  gitIn,
  identity,
  treeOf,
  userState,
  workspaceOn,
  writeIn,
} from './git-project.ts';

const { repository } = gitFolders();

const add = (user: GitFolder, from: GitFolder, path: string): void => {
  user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', from.folder, path);
  user.commit({});
};

/** `lib` has a submodule of its own, `lib/inner`. */
function withSubmodules(): { user: GitFolder; lib: GitFolder } {
  const [inner, lib, user] = [
    repository({ 'deep.txt': 'deep\n' }),
    repository({ 'code.txt': 'one\n', '.gitignore': 'built\n' }),
    repository({ 'a.txt': 'own\n' }),
  ];
  add(lib, inner, 'inner');
  add(user, lib, 'lib');
  user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive');
  return { user, lib };
}

const text = (...path: string[]): string => readFileSync(join(...path), 'utf8');

describe('submodules', () => {
  it('are in a room at the recorded commit, with those inside them', async () => {
    const { user } = withSubmodules();
    // The checkout has moved on.
    gitIn(join(user.folder, 'lib'), user.environment, ['commit', '--quiet', '--allow-empty', '-m', 'Not recorded']);
    writeIn(join(user.folder, 'lib'), { 'code.txt': 'not committed\n' });
    const before = userState(user);
    const work = await workspaceOn(user);
    const { directory } = await work.open('1.1');
    expect(text(directory, 'lib/code.txt')).toBe('one\n');
    expect(text(directory, 'lib/inner/deep.txt')).toBe('deep\n');
    // Git works in it, as a repository of its own.
    const inRoom = (...args: string[]): string => gitIn(join(directory, 'lib'), user.environment, args);
    expect(inRoom('rev-parse', '--show-toplevel')).toBe(join(directory, 'lib'));
    expect(inRoom('rev-parse', 'HEAD')).toBe(user.git('rev-parse', 'HEAD:lib'));
    expect(gitIn(directory, user.environment, ['status', '--porcelain'])).toBe('');
    expect(userState(user)).toEqual(before);
  });

  it('stay as they are in the commit of the work', async () => {
    const { user } = withSubmodules();
    const work = await workspaceOn(user);
    const room = await work.open('1.1');
    writeIn(room.directory, { 'a.txt': 'changed\n', 'lib/built': 'ignored there\n' });
    const { commit = '', changes } = await work.snapshot(room);
    expect(changes.map(({ path }) => path)).toEqual(['a.txt']);
    expect(treeOf(user, work.repository.gitDir, commit)['lib']).toBe(`160000 ${user.git('rev-parse', 'HEAD:lib')}`);
  });

  it.each<[string, string[], (lib: string, git: (...args: string[]) => string) => void]>([
    ['edits a file', ['edited lib/code.txt'], (lib) => writeIn(lib, { 'code.txt': 'two\n' })],
    ['adds one', ['added lib/new/x.txt'], (lib) => writeIn(lib, { 'new/x.txt': 'x' })],
    ['deletes one', ['deleted lib/code.txt'], (lib) => rmSync(join(lib, 'code.txt'))],
    ['edits one further inside', ['edited lib/inner/deep.txt'], (lib) => writeIn(lib, { 'inner/deep.txt': 'x' })],
    ['deletes it', ['deleted lib', 'deleted lib/inner'], (lib) => rmSync(lib, { recursive: true })],
    [
      'puts a symlink in its place',
      ['deleted lib', 'deleted lib/inner'],
      (lib) => {
        renameSync(lib, `${lib}-2`);
        rmSync(`${lib}-2/.git`, { recursive: true });
        symlinkSync('lib-2', lib);
      },
    ],
    [
      'commits there',
      ['edited lib/code.txt'],
      (lib, git) => {
        writeIn(lib, { 'code.txt': 'two\n' });
        git('commit', '--quiet', '--all', '-m', 'Work');
      },
    ],
  ])('tell what changed inside where an agent %s', async (_, expected, act) => {
    const { user } = withSubmodules();
    const work = await workspaceOn(user);
    const room = await work.open('1.1');
    const lib = join(room.directory, 'lib');
    act(lib, (...args) => gitIn(lib, user.environment, args));
    const { changes, commit } = await work.snapshot(room);
    const inside = changes.filter(({ isInSubmodule }) => isInSubmodule === true);
    expect(inside.map(({ change, path }) => `${change} ${path}`)).toEqual(expected);
    const gitlink = user.git('rev-parse', 'HEAD:lib');
    expect(user.git('rev-parse', `${commit ?? 'HEAD'}:lib`)).toBe(gitlink);
  });

  it('run nothing that an agent has put into their settings', async () => {
    const { user } = withSubmodules();
    const work = await workspaceOn(user);
    const room = await work.open('1.1');
    const config = '\n[core]\n\tfsmonitor = touch ../ran\n[filter "x"]\n\tclean = touch ../ran\n';
    for (const path of ['lib', 'lib/inner']) {
      writeFileSync(join(room.directory, path, '.git/config'), config, { flag: 'a' });
      writeIn(join(room.directory, path), { '.gitattributes': '* filter=x\n' });
    }
    writeIn(room.directory, { 'a.txt': 'changed\n' });
    await work.snapshot(room);
    expect([existsSync(join(room.directory, 'ran')), existsSync(join(room.directory, 'lib/ran'))]).toEqual([
      false,
      false,
    ]);
  });

  it('are empty where the checkout does not have them, and work there is not lost in silence', async () => {
    const { user } = withSubmodules();
    user.git('submodule', '--quiet', 'deinit', '--force', 'lib');
    rmSync(join(user.folder, '.git/modules'), { recursive: true });
    const work = await workspaceOn(user);
    const room = await work.open('1.1');
    expect(existsSync(join(room.directory, 'lib/code.txt'))).toBe(false);
    expect((await work.snapshot(room)).changes).toEqual([]);
    writeIn(room.directory, { 'lib/x.txt': 'x' });
    expect((await work.snapshot(room)).changes).toMatchObject([{ path: 'lib', isInSubmodule: true }]);
  });

  it('may be changed by set-up', async () => {
    const { user } = withSubmodules();
    const work = await workspaceOn(user);
    const room = await work.open('1.1');
    const { folder, base } = room;
    await keepSetUp(work.repository, { folder, base, exclude: [], identity, at }, async () => {
      writeIn(room.directory, { 'lib/lock.txt': 'x', 'lib/code.txt': 'set up\n' });
    });
    expect((await work.snapshot(room)).changes).toEqual([]);
    writeIn(room.directory, { 'lib/lock.txt': 'by the agent' });
    expect((await work.snapshot(room)).changes.map(({ path }) => path)).toEqual(['lib/lock.txt']);
  });
});

describe('large files', () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
  /** As `git lfs install` leaves it, without the program. */
  const installed = ['clean', 'smudge', 'process'].map((what) => `\t${what} = no-such-git-lfs ${what} %f\n`).join('');

  it('stay pointers, whether or not git-lfs is installed', async () => {
    const user = repository({ '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'big.bin': pointer });
    writeFileSync(
      join(user.environment['HOME'] ?? '', '.gitconfig'),
      `[user]\n\tname = A\n\temail = a@example.org\n[filter "lfs"]\n${installed}\trequired = true\n`,
    );
    const work = await workspaceOn(user);
    const room = await work.open('1.1');
    expect(text(room.directory, 'big.bin')).toBe(pointer);
    // Written again with the same content: git has to read it.
    mkdirSync(join(room.directory, 'sub'));
    writeIn(room.directory, { 'big.bin': pointer, 'a.txt': 'x\n' });
    const { commit = '', changes, refused } = await work.snapshot(room);
    expect({ refused, paths: changes.map(({ path }) => path) }).toEqual({ refused: undefined, paths: ['a.txt'] });
    expect(treeOf(user, work.repository.gitDir, commit)['big.bin']).toBe(`100644 ${pointer}`);
    // The agent's own git works there, too.
    expect(gitIn(room.directory, user.environment, ['stash', '--include-untracked'])).toContain('Saved');
    expect(text(room.directory, 'big.bin')).toBe(pointer);
  });
});
