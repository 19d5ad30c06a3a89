/** Repositories of less ordinary shapes, without any config: good work is verified, broken work is rejected by its own check. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commitAll,
  divisiTo,
  git,
  gitProject,
  makeRepository,
  merged,
  put,
  runBranchOf,
  startsIn,
  tell,
  verdictsOf,
} from '../support/git-project.ts';
import { divisi } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { broken, brokenThenGood, files, good, waves } from './broken-then-good.ts';

const folder = temporaryFolders();

describe('a submodule', { timeout: 240_000 }, () => {
  function withSubmodule(): string {
    const top = folder();
    put(join(top, 'lib'), { 'lib.js': 'module.exports = (a, b) => a + b;\n' });
    makeRepository(join(top, 'lib'));
    const cwd = gitProject(top, {
      waves,
      files: { ...files, 'a.js': "module.exports = require('./vendor/lib/lib.js');\n" },
    });
    git(cwd, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../lib', 'vendor/lib');
    commitAll(cwd, 'A submodule');
    return cwd;
  }
  const good = {
    write: { 'a.js': "const lib = require('./vendor/lib/lib.js');\nmodule.exports = (a, b) => lib(b, a);\n" },
  };

  it('is there for checks, and its commit stays as it is', async () => {
    const cwd = withSubmodule();
    await brokenThenGood(cwd, [broken, good]);
    const recorded = git(cwd, 'rev-parse', 'HEAD:vendor/lib');
    expect(git(cwd, 'rev-parse', `${runBranchOf(cwd)}:vendor/lib`)).toBe(recorded);
    await divisiTo(0, cwd, 'merge');
    expect(git(cwd, 'status', '--porcelain', '--', 'vendor', 'a.js')).toBe('');
    expect(readFileSync(join(cwd, 'a.js'), 'utf8')).toContain('lib(b, a)');
  });

  it('rejects work that changes it', async () => {
    const cwd = withSubmodule();
    tell(cwd, {
      '1.1': [
        { write: { 'vendor/lib/lib.js': 'module.exports = (a, b) => b + a;\n' } },
        { run: [['git', '-C', 'vendor/lib', 'checkout', '.']], ...good },
      ],
    });
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(verdictsOf(cwd, '1.1')).toEqual(['rejected submodule-changed', 'verified']);
    expect(output).toContain('changed files of a submodule, where commits are not carried back: vendor/lib/lib.js');
  });

  it('is an empty folder where it is not initialised, and the run says so', async () => {
    const cwd = withSubmodule();
    git(cwd, 'submodule', '--quiet', 'deinit', '--force', 'vendor/lib');
    tell(cwd, { '1.1': good });
    const output = await divisiTo(5, cwd, 'run', 'plan.md');
    expect(output).toContain('are empty in rooms: vendor/lib (git submodule update --init)');
    expect(output).toContain('1.1: environment: `node test.js` cannot run in a room');
    expect(startsIn(cwd)).toEqual(['1.1 1']);
  });
});

it('large files stay pointers', { timeout: 240_000 }, async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
  const cwd = gitProject(folder(), {
    waves,
    files: { ...files, 'big.bin': pointer, '.gitattributes': '*.bin filter=lfs -text\n' },
  });
  // As `git lfs install --local` leaves it, where the program is gone.
  for (const what of ['clean', 'smudge', 'process'])
    git(cwd, 'config', `filter.lfs.${what}`, `no-such-git-lfs ${what}`);
  git(cwd, 'config', 'filter.lfs.required', 'true');
  const act = {
    run: [['sh', '-c', 'test "$GIT_LFS_SKIP_SMUDGE" = 1 && touch big.bin && git add -A && git stash && git stash pop']],
    ...good,
  };
  const output = await brokenThenGood(cwd, [broken, act]);
  expect(output).toContain('rooms have the pointers of large files');
  expect(merged(cwd, 'big.bin')).toBe(pointer.trimEnd());
});

const hasKeys = spawnSync('ssh-keygen', ['-?']).error === undefined;

describe.runIf(hasKeys)('signed commits', { timeout: 240_000 }, () => {
  function signed(config: string): string {
    const top = folder();
    const cwd = gitProject(top, { waves, files, config });
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(top, 'key')]);
    writeFileSync(join(top, 'signers'), `person@example.org ${readFileSync(join(top, 'key.pub'), 'utf8')}`);
    git(cwd, 'config', 'gpg.format', 'ssh');
    git(cwd, 'config', 'user.signingKey', join(top, 'key'));
    git(cwd, 'config', 'gpg.ssh.allowedSignersFile', join(top, 'signers'));
    git(cwd, 'config', 'commit.gpgSign', 'true');
    return cwd;
  }
  const signatures = (cwd: string, range: string): string[] => git(cwd, 'log', '--format=%G?', range).split('\n');

  it('the merge makes one; those of the tasks are not, and that is said', async () => {
    const cwd = signed('grace: 1\n');
    await brokenThenGood(cwd);
    const output = await divisiTo(0, cwd, 'merge');
    expect(output).toContain('as a merge commit that is signed; the commits of the tasks are not');
    expect(signatures(cwd, 'main~1..main')).toEqual(['G', 'N']);
  });

  it('`workspace.sign` signs the commit of each task', async () => {
    const cwd = signed('grace: 1\nworkspace: { sign: true }\n');
    await brokenThenGood(cwd);
    const { stdout } = await divisi(['merge', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ result: 'merged', as: 'fast-forward', signed: false });
    expect(signatures(cwd, 'main~1..main')).toEqual(['G']);
  });

  it('`--squash` makes one that lists the tasks, and `clean` knows that it is merged', async () => {
    const cwd = signed('grace: 1\n');
    await brokenThenGood(cwd);
    const { stderr } = await divisi(['merge', '--squash', '--no-ff'], { cwd });
    expect(stderr).toContain('--squash and --no-ff exclude each other');
    const branch = runBranchOf(cwd);
    expect(await divisiTo(0, cwd, 'merge', '--squash')).toContain('as one commit that is signed');
    expect(git(cwd, 'log', '-1', '--format=%G? %s%n%b')).toMatch(
      /^G Sample\n- 1\.1 Do 1\.1\n[^]*Divisi-Squashed: [0-9a-f]{40}/,
    );
    expect(await divisiTo(0, cwd, 'merge')).toContain('nothing to merge');
    await divisiTo(0, cwd, 'clean');
    expect(git(cwd, 'branch', '--list', branch)).toBe('');
  });

  it('a key that cannot sign is refused before any agent is paid', async () => {
    const cwd = signed('grace: 1\nworkspace: { sign: true }\n');
    git(cwd, 'config', 'user.signingKey', join(cwd, '../no-such-key'));
    expect(await divisiTo(2, cwd, 'run', 'plan.md')).toContain('a commit cannot be signed (workspace.sign)');
    expect(startsIn(cwd)).toEqual([]);
  });

  it('one that fails later is a question, and the work is kept', async () => {
    const cwd = signed('grace: 1\nworkspace: { sign: true }\n');
    tell(cwd, { '1.1': { ...good, run: [['rm', join(cwd, '../key')]] } });
    expect(await divisiTo(5, cwd, 'run', 'plan.md')).toMatch(/needs you: 1\.1: environment: a commit cannot be signed/);
    expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
  });
});

it('a repository inside the project, which is not a submodule', { timeout: 240_000 }, async () => {
  const cwd = gitProject(folder(), { waves, files: { ...files, '.gitignore': 'ignored/\n' } });
  for (const name of ['ignored/other', 'beside']) {
    mkdirSync(join(cwd, name), { recursive: true });
    writeFileSync(join(cwd, name, 'x.js'), 'x\n');
    makeRepository(join(cwd, name));
  }
  await brokenThenGood(cwd);
  await divisiTo(0, cwd, 'merge', '--yes');
  expect(readFileSync(join(cwd, 'beside/x.js'), 'utf8')).toBe('x\n');
});

it('a shallow clone', { timeout: 240_000 }, async () => {
  const origin = gitProject(folder(), { waves, files });
  put(origin, { 'more.txt': 'x' });
  commitAll(origin, 'More');
  git(join(origin, '..'), 'clone', '--quiet', '--depth=1', `file://${origin}`, 'clone');
  const cwd = join(origin, '../clone');
  await brokenThenGood(cwd);
  expect(git(cwd, 'rev-parse', '--is-shallow-repository')).toBe('true');
  await divisiTo(0, cwd, 'merge');
  expect(git(cwd, 'status', '--porcelain', 'a.js')).toBe('');
});
