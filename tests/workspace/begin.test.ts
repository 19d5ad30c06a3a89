/** The workspace facts a run begins with, and the refusals before it begins. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginWorkspace, ensureRunBranch } from '../../src/workspace/git/room/begin-workspace.ts';
import { findRepository } from '../../src/workspace/git/repository.ts';
import { at, gitFolders, type GitFolder, gitIn, identity, run, userState } from './git-project.ts';

const { plain, repository } = gitFolders();

const begin = async (
  of: GitFolder,
  spec: { baseBranch?: string; own?: readonly string[] } = {},
  project: string = of.folder,
): ReturnType<typeof beginWorkspace> =>
  beginWorkspace(await findRepository(project, of.environment), { run, at, ...spec });

describe('a repository', () => {
  it('gives base, branch, identity and what is not committed, and makes nothing', async () => {
    const user = repository({ 'a.txt': '1', 'b.txt': '2', 'plan.md': '3', '.divisi/config.yaml': '' });
    user.write({
      'a.txt': 'changed',
      'plan.md': 'changed',
      '.divisi/config.yaml': 'changed',
      '.divisi/new.md': 'x',
      'new/one.txt': 'x',
      'new/two.txt': 'x',
      'with\nline.txt': 'x',
    });
    user.git('mv', 'b.txt', 'c.txt');
    const before = userState(user);
    expect(await begin(user, { own: ['plan.md'] })).toEqual({
      remarks: [],
      facts: {
        kind: 'git',
        base: user.git('rev-parse', 'HEAD'),
        branch: `divisi/${run}`,
        identity,
        // a.txt, b.txt gone, c.txt, new/, and the one with a line end.
        uncommitted: 5,
      },
    });
    expect(userState(user)).toEqual(before);
    expect(user.git('branch', '--list', 'divisi*')).toBe('');
  });

  it('begins from a branch, tag or commit that is named', async () => {
    const user = repository();
    const first = user.git('rev-parse', 'HEAD');
    user.git('tag', 'v1');
    user.git('branch', 'old');
    user.commit({ 'b.txt': '2' });
    for (const baseBranch of ['old', 'v1', first]) expect((await begin(user, { baseBranch })).facts.base).toBe(first);
    user.git('tag', 'old', 'HEAD');
    expect((await begin(user, { baseBranch: 'old' })).facts.base).toBe(first);
    for (const baseBranch of ['none', '--help', '', 'HEAD:a.txt']) {
      await expect(begin(user, { baseBranch })).rejects.toMatchObject({ code: 'WORKSPACE_BASE_UNKNOWN' });
    }
  });

  it('has an identity also where none is set', async () => {
    const user = repository();
    writeFileSync(join(user.environment['HOME'] ?? '', '.gitconfig'), '');
    expect((await begin(user)).facts.identity).toEqual({ name: 'Divisi', email: 'divisi@localhost' });
    user.git('config', 'user.name', 'Only <Name>');
    expect((await begin(user)).facts.identity).toEqual({ name: 'Only Name', email: 'divisi@localhost' });
  });

  it('makes the run’s branch once', async () => {
    const user = repository();
    const found = await findRepository(user.folder, user.environment);
    const { base, branch } = (await begin(user)).facts;
    const head = user.commit({ 'b.txt': '2' });
    await ensureRunBranch(found, { branch, base, head });
    expect(user.git('rev-parse', branch)).toBe(head);
    await ensureRunBranch(found, { branch, base });
    expect(user.git('rev-parse', branch)).toBe(head);
  });
});

describe('says beforehand', () => {
  it('which submodules the checkout lacks: rooms have them empty', async () => {
    const [user, other] = [repository(), repository()];
    for (const path of ['sub/mod', 'here'])
      user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.folder, path);
    user.commit({});
    expect((await begin(user)).remarks).toEqual([]);
    user.git('submodule', '--quiet', 'deinit', '--force', 'sub/mod');
    expect((await begin(user)).remarks).toEqual([
      'submodules that your checkout does not have at the recorded commit are empty in rooms: sub/mod (git submodule update --init)',
    ]);
  });

  it('that large files are pointers, but not because of a comment', async () => {
    const user = repository({ '.gitattributes': '# *.psd filter=lfs\n*.txt text\n' });
    expect((await begin(user)).remarks).toEqual([]);
    user.commit({ 'assets/.gitattributes': '*.txt text\n*.psd filter=lfs diff=lfs merge=lfs -text\n' });
    expect((await begin(user)).remarks).toEqual([expect.stringContaining('rooms have the pointers of large files')]);
  });
});

describe('is refused', () => {
  const refusal = (message: RegExp): object => ({
    code: 'WORKSPACE_UNSUPPORTED',
    message: expect.stringMatching(message) as string,
    next: expect.stringMatching(/./) as string,
  });

  it('a repository without a commit', async () => {
    const user = plain();
    user.git('init', '--quiet');
    await expect(begin(user)).rejects.toMatchObject(refusal(/no commits yet/));
  });

  it('a bare repository, and the inside of one', async () => {
    const user = repository();
    const bare = plain();
    bare.git('init', '--quiet', '--bare');
    await expect(begin(bare)).rejects.toMatchObject(refusal(/not a checkout/));
    await expect(begin(user, {}, join(user.folder, '.git'))).rejects.toMatchObject(refusal(/not a checkout/));
  });

  it('a sparse checkout', async () => {
    const user = repository({ 'a/x.txt': '', 'b/y.txt': '' });
    user.git('sparse-checkout', 'set', 'a');
    await expect(begin(user)).rejects.toMatchObject(refusal(/sparse/));
    user.git('sparse-checkout', 'disable');
    expect(await begin(user)).toMatchObject({ facts: { kind: 'git' } });
  });

  it('a branch in the way', async () => {
    const user = repository();
    user.git('branch', 'divisi');
    await expect(begin(user)).rejects.toMatchObject(refusal(/the branch divisi blocks/));
  });

  it('a repository that git cannot read', async () => {
    const user = repository();
    writeFileSync(join(user.folder, '.git/config'), '[broken');
    await expect(begin(user)).rejects.toMatchObject(refusal(/git cannot work with this repository: .*config/));
    const linked = plain({ '.git': 'gitdir: /nowhere/.git/worktrees/x\n' });
    await expect(begin(linked)).rejects.toMatchObject(refusal(/git cannot work with this repository: .*\/nowhere/));
  });

  it('a git that is missing or old', async () => {
    const user = repository();
    const old = plain({ git: '#!/bin/sh\necho git version 2.37.9\n' });
    chmodSync(join(old.folder, 'git'), 0o755);
    await expect(findRepository(user.folder, { PATH: old.folder })).rejects.toMatchObject({
      code: 'GIT_MISSING',
      got: 'git version 2.37.9',
    });
    await expect(findRepository(user.folder, { PATH: join(old.folder, 'nowhere') })).rejects.toMatchObject({
      code: 'GIT_MISSING',
    });
  });
});

describe('a folder that is not a repository', () => {
  it('is one in private', async () => {
    const user = plain({
      'a.txt': '1\n',
      '.gitignore': 'secret\n',
      secret: 'x',
      'node_modules/p/index.js': 'x',
      '.divisi/config.yaml': 'x',
      'sub/.venv/x': 'x',
    });
    const before = userState(user);
    const found = await findRepository(user.folder, user.environment);
    expect(found).toMatchObject({ kind: 'copy', top: user.folder, prefix: '' });
    expect(existsSync(found.gitDir)).toBe(false);
    const { base, uncommitted, identity: own } = (await begin(user)).facts;
    expect(uncommitted).toBe(0);
    expect(own).toEqual({ name: 'Divisi', email: 'divisi@localhost' });
    expect(gitIn(found.gitDir, user.environment, ['ls-tree', '-r', '--name-only', base])).toBe('.gitignore\na.txt');
    expect(userState(user)).toEqual(before);
    expect((await findRepository(user.folder, user.environment)).kind).toBe('copy');
    await expect(begin(user, { baseBranch: 'main' })).rejects.toMatchObject({ code: 'WORKSPACE_BASE_UNKNOWN' });
  });

  it('also where a repository around ignores it', async () => {
    const user = repository({ '.gitignore': '/scratch/\n' });
    user.write({ 'scratch/p/a.txt': '1' });
    const found = await findRepository(join(user.folder, 'scratch/p'), user.environment);
    expect(found).toMatchObject({ kind: 'copy', project: join(user.folder, 'scratch/p') });
    mkdirSync(join(user.folder, 'new'));
    expect(await findRepository(join(user.folder, 'new'), user.environment)).toMatchObject({
      kind: 'git',
      prefix: 'new/',
    });
  });

  it('keeps the bytes of files as they are', async () => {
    const user = plain({ 'crlf.txt': 'a\r\nb\r\n', 'mixed.txt': 'a\r\nb\n' });
    writeFileSync(join(user.environment['HOME'] ?? '', '.gitconfig'), '[core]\n\tautocrlf = true\n\tsafecrlf = true\n');
    const { base } = (await begin(user)).facts;
    const { gitDir } = await findRepository(user.folder, user.environment);
    const bytes = gitIn(gitDir, user.environment, ['cat-file', 'blob', `${base}:crlf.txt`]);
    expect(`${bytes}\n`).toBe(readFileSync(join(user.folder, 'crlf.txt'), 'utf8'));
  });

  it.each([
    ['with a commit', true],
    ['without one', false],
  ])('is refused where it has repositories inside, %s', async (_what, committed) => {
    const user = plain({ 'inner/a.txt': 'x' });
    gitIn(join(user.folder, 'inner'), user.environment, ['init', '--quiet']);
    gitIn(join(user.folder, 'inner'), user.environment, ['add', '-A']);
    const commit = ['commit', '--quiet', '-m', 'x'];
    gitIn(join(user.folder, 'inner'), user.environment, committed ? commit : ['status']);
    await expect(begin(user)).rejects.toMatchObject({
      code: 'WORKSPACE_UNSUPPORTED',
      message: expect.stringContaining('inner') as string,
    });
  });
});
