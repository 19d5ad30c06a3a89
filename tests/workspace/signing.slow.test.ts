/** Signed commits with a key of `ssh-keygen`: of tasks, and of merges into the checkout in each style. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commitTree } from '../../src/workspace/git/commit-tree.ts';
import { isInCheckout, mergeBranchIntoCheckout } from '../../src/workspace/git/merge/merge-into-checkout.ts';
import type { MergeStyle } from '../../src/workspace/git/merge/merge-style.ts';
import { mergeWork } from '../../src/workspace/git/merge/merge-work.ts';
import { until } from '../support/until.ts';
import {
  at,
  gitFolders,
  type GitFolder,
  gitIn,
  identity,
  type Workspace,
  workspaceOn,
  writeIn,
} from './git-project.ts';

const { repository } = gitFolders();
const hasKeys = spawnSync('ssh-keygen', ['-?']).error === undefined;

/** Signs with a key of its own that others may check. `passphrase` locks the key. */
function signing(user: GitFolder, passphrase = ''): void {
  const home = user.environment['HOME'] ?? '';
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(home, 'key')]);
  writeFileSync(join(home, 'signers'), `${identity.email} ${readFileSync(join(home, 'key.pub'), 'utf8')}`);
  user.git('config', 'gpg.format', 'ssh');
  user.git('config', 'user.signingKey', join(home, 'key'));
  user.git('config', 'gpg.ssh.allowedSignersFile', join(home, 'signers'));
}

/** `G`: a good signature; `N`: none. */
const signature = (user: GitFolder, commit: string): string => user.git('log', '-1', '--format=%G?', commit);

const into = (
  { repository: of, branch, base }: Workspace,
  style: MergeStyle,
  isSigned = false,
): ReturnType<typeof mergeBranchIntoCheckout> =>
  mergeBranchIntoCheckout(of, { branch, base, identity, at, style, message: 'All of it\n\n- 1 A task', isSigned });

async function withWork(user: GitFolder): Promise<Workspace> {
  const work = await workspaceOn(user);
  await work.settle('1', (directory) => writeIn(directory, { 'b.txt': 'b\n' }));
  await work.settle('2', (directory) => writeIn(directory, { 'c.txt': 'c\n' }));
  return work;
}

describe('the style of a merge', () => {
  it('--no-ff: a merge commit, also where a fast-forward would do', async () => {
    const user = repository();
    const work = await withWork(user);
    const before = user.git('rev-parse', 'HEAD');
    expect(await into(work, 'no-ff')).toMatchObject({ as: 'merge', isSigned: false, files: ['b.txt', 'c.txt'] });
    expect(user.git('log', '-1', '--format=%P')).toBe(`${before} ${work.head()}`);
    expect(await into(work, 'no-ff')).toEqual({ kind: 'nothing' });
  });

  it('--squash: one commit, which counts as merged', async () => {
    const user = repository();
    const work = await withWork(user);
    const before = user.commit({ 'mine.txt': 'mine\n' });
    expect(await isInCheckout(work.repository, work, work.head())).toBe(false);
    expect(await into(work, 'squash')).toMatchObject({ as: 'squash', files: ['b.txt', 'c.txt'] });
    expect(user.git('log', '-1', '--format=%P %an%n%B')).toBe(
      `${before} ${identity.name}\nAll of it\n\n- 1 A task\n\nDivisi-Squashed: ${work.head()}\n`,
    );
    expect(user.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(user.folder, 'mine.txt'))).toBe(true);
    expect(await isInCheckout(work.repository, work, work.head())).toBe(true);
    for (const style of ['squash', 'usual', 'no-ff'] as const)
      expect(await into(work, style)).toEqual({ kind: 'nothing' });
    // More work is merged on top.
    await work.settle('3', (directory) => writeIn(directory, { 'd.txt': 'd\n' }));
    expect(await into(work, 'squash')).toMatchObject({ as: 'squash', files: ['d.txt'] });
  });

  it('--squash: refuses to overwrite what is not committed', async () => {
    const user = repository();
    const work = await workspaceOn(user);
    await work.settle('1', (directory) => writeIn(directory, { 'a.txt': 'new\n' }));
    const before = user.git('rev-parse', 'HEAD');
    user.write({ 'a.txt': 'mine\n' });
    await expect(into(work, 'squash')).rejects.toMatchObject({ code: 'MERGE_REFUSED' });
    expect([user.git('rev-parse', 'HEAD'), readFileSync(join(user.folder, 'a.txt'), 'utf8')]).toEqual([
      before,
      'mine\n',
    ]);
  });
});

describe.runIf(hasKeys)('a checkout whose commits are signed', () => {
  it.each<[MergeStyle, string]>([
    ['usual', 'merge'],
    ['squash', 'squash'],
  ])('gets a signed commit: %s', async (style, as) => {
    const user = repository();
    signing(user);
    user.git('config', 'commit.gpgSign', 'true');
    const work = await withWork(user);
    expect(signature(user, work.head())).toBe('N');
    expect(await into(work, style)).toMatchObject({ as, isSigned: true });
    expect(signature(user, 'HEAD')).toBe('G');
  });

  it('is fast-forwarded to commits that are signed', async () => {
    const user = repository();
    signing(user);
    user.git('config', 'commit.gpgSign', 'true');
    const work = await withWork(user);
    expect(await into(work, 'usual', true)).toMatchObject({ as: 'fast-forward', isSigned: false });
  });
});

/** Not one that only waits for being collected. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

describe.runIf(hasKeys)('the commit of a task', () => {
  const spec = async (work: Workspace): Promise<Parameters<typeof mergeWork>[1]> => {
    const room = await work.open('1');
    writeIn(room.directory, { 'b.txt': 'b\n' });
    const { commit = '' } = await work.snapshot(room);
    const { branch, base } = work;
    const about = { branch, base, knownHead: base, commit, delegation: 'sess_1_x', message: 'A task', trailers: [] };
    return { ...about, identity, at, sign: { seconds: 30 } };
  };

  it('is signed, and found again after a crash: never signed twice', async () => {
    const user = repository();
    signing(user);
    const home = user.environment['HOME'] ?? '';
    const program = join(home, 'signer');
    writeFileSync(program, '#!/bin/sh\necho "$2" >> "$HOME/asked"\nexec ssh-keygen "$@"\n');
    chmodSync(program, 0o755);
    user.git('config', 'gpg.ssh.program', program);
    const work = await workspaceOn(user);
    const merge = await spec(work);
    const first = await mergeWork(work.repository, merge);
    expect(first).toMatchObject({ kind: 'merged', commit: work.head() });
    expect(signature(user, work.head())).toBe('G');
    expect(await mergeWork(work.repository, { ...merge, at: at + 5000 })).toEqual(first);
    expect(readFileSync(join(home, 'asked'), 'utf8').match(/^sign$/gm)).toHaveLength(1);
  });

  it('is refused by a key that asks, without a terminal', async () => {
    const user = repository();
    signing(user, 'a passphrase');
    const work = await workspaceOn(user);
    const merge = await spec(work);
    await expect(mergeWork(work.repository, merge)).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringMatching(/^a commit cannot be signed \(workspace\.sign\): .*passphrase/) as string,
    });
    expect(work.head()).toBe(work.base);
  });

  it('waits no longer than it may for a program that asks, and leaves no process', async () => {
    const user = repository();
    signing(user);
    const home = user.environment['HOME'] ?? '';
    const program = join(home, 'signer');
    writeFileSync(
      program,
      `#!/bin/sh\necho $$ > ${join(home, 'pid')}\nsetsid sleep 300 &\necho $! > ${join(home, 'away')}\nsleep 300\n`,
    );
    chmodSync(program, 0o755);
    user.git('config', 'gpg.ssh.program', program);
    const { repository: of, base } = await workspaceOn(user);
    const commit = { tree: `${base}^{tree}`, parents: [base], message: 'x', identity, at, sign: { seconds: 1 } };
    await expect(commitTree(of, commit)).rejects.toMatchObject({
      message: 'a commit cannot be signed (workspace.sign): no answer within 1 s',
    });
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'));
    await until(
      () => isRunning(pid),
      (runs) => !runs,
    );
    process.kill(Number(readFileSync(join(home, 'away'), 'utf8')));
    expect(gitIn(of.gitDir, user.environment, ['rev-parse', 'HEAD'])).toBe(base);
  });
});
