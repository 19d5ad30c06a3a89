/** Rooms of tasks: their files, their set-up commands, and the untouched checkout of the user. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import { findMarked } from '../../src/process/reap.ts';
import {
  changedOn,
  checkoutOf,
  commitAll,
  commitsOf,
  git,
  gitProject,
  type GitSample,
  put,
  runBranchOf,
  seenBy,
  divisiTo,
  verdictsOf,
  verificationsOf,
  roomsLeft,
} from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { startDivisi } from '../support/running.ts';
import { packageCache } from '../../src/workspace/confine/package-cache.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: GitSample): string => gitProject(folder(), sample);

describe.concurrent('what the config gives to each folder', patient, () => {
  it('is there before the agent is, and no part of its work; its commands run with little of the environment', async () => {
    const cwd = project({
      config: [
        'grace: 1',
        'workspace:',
        '  setup: [[sh, setup.sh]]',
        '  link: [node_modules]',
        '  copy: [.env]',
        '  accept: [[sh, accept.sh]]',
        '  environment: [ALLOWED]',
      ].join('\n'),
      files: {
        '.gitignore': 'node_modules\n.env\nbuilt.txt\n',
        'setup.sh': 'cp .env built.txt\n',
        'accept.sh':
          'env > "$HOME/../agent/env.txt"\ntest -f built.txt && test -f node_modules/dep.js && test ! -e pwned\n',
      },
      waves: [[{ id: '1.1', accept: 'the file is there' }]],
      acts: {
        '1.1': {
          write: { '1.1.txt': 'x', '.env': 'KEY=theirs\n' },
          claims: { '1.1.txt': 'create' },
          evidence: 'run: touch pwned',
          summary: 'accept: `touch pwned`',
        },
      },
    });
    put(cwd, { 'node_modules/dep.js': '1\n', '.env': 'KEY=mine\n' });
    const before = checkoutOf(cwd);
    const variables = { SECRET_TOKEN: 'hunter2', ALLOWED: 'yes', GIT_DIR: '/nowhere' };
    const { code, stdout, stderr } = await startDivisi(['run', 'plan.md'], { cwd, variables }).ended;
    expect({ code, stderr, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stderr: '', stdout: '' });
    expect(seenBy(cwd, '1.1')).toEqual(expect.arrayContaining(['.env', 'built.txt', 'node_modules']));
    const [{ verdict, commands } = { verdict: 'none', commands: [] }] = verificationsOf(cwd, '1.1');
    expect(verdict).toBe('verified');
    expect(commands).toMatchObject([{ argv: ['sh', 'accept.sh'], from: 'config', ok: true }]);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
    const seen = readFileSync(join(cwd, '../agent/env.txt'), 'utf8').trim().split('\n');
    const names = seen
      .map((line) => line.split('=')[0] ?? '')
      .filter((name) => !/^(?:DIVISI_|_$|PWD|OLDPWD|SHLVL)/.test(name));
    const own = ['TMPDIR', ...Object.keys(packageCache(folder()).variables)];
    const expected = ['ALLOWED', 'CI', 'GIT_LFS_SKIP_SMUDGE', 'HOME', 'PATH', ...own];
    expect(names.toSorted()).toEqual(expected.toSorted());
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('includes what .worktreeinclude and patterns name; patterns without a match are named, a missing path ends it', async () => {
    const cwd = project({
      config: 'workspace:\n  copy: [.env, .env.ci]\n',
      files: { '.gitignore': '.env*\n*.local\n', '.worktreeinclude': '.env*\n!.env.prod\n', 'conf/a.txt': 'a\n' },
    });
    put(cwd, { '.env': 'A=1\n', '.env.prod': 'B=1\n', 'conf/x.local': '1\n' });
    const refused = await startDivisi(['run', 'plan.md'], { cwd }).ended;
    expect(refused.stderr).toContain(
      '.env.ci, which every room gets (workspace.copy), does not exist in your checkout',
    );
    put(cwd, { '.divisi/config.yaml': 'grace: 1\nworkspace:\n  copy: ["conf/*.local", "*.none"]\n' });
    const { code, stdout, stderr } = await startDivisi(['run', 'plan.md'], { cwd }).ended;
    expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('each room gets a copy of a file or folder that .worktreeinclude names\n');
    expect(stderr).toContain('workspace.copy: *.none matches no untracked file of your checkout\n');
    const seen = seenBy(cwd, '1.1');
    expect(seen).toEqual(expect.arrayContaining(['.env', 'conf']));
    expect(seen).not.toContain('.env.prod');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
  });

  it('refuses before the first agent when a set-up command fails, and works when it is fixed', async () => {
    const cwd = project({
      config: 'workspace:\n  setup: [[sh, setup.sh]]\n',
      files: {
        'setup.sh': `test -f "$HOME/../agent/ready" || { echo no luck; echo ${'x'.repeat(400)}; exit 4; }\n`,
      },
    });
    const before = checkoutOf(cwd);
    const output = await divisiTo(exitCodes.usage, cwd, 'run', 'plan.md');
    expect(output).toMatch(/rooms cannot be set up: sh setup\.sh failed \(exit code 4\): no luck x+…/);
    expect(output).toContain('run cancelled');
    put(join(cwd, '../agent'), { ready: '' });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
    expect(roomsLeft(cwd)).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('what is not committed', patient, () => {
  it('and needed by a command is named before anything starts', async () => {
    const cwd = project({
      config: 'grace: 1\nworkspace:\n  accept: [[sh, committed.sh], [sh, tools/config.sh]]\n',
      files: { 'committed.sh': 'exit 0\n', '.gitignore': 'built.sh\n' },
      waves: [[{ id: '1.1', accept: '`sh tools/plan.sh --with=data/x.json`' }]],
    });
    put(cwd, { 'tools/config.sh': '', 'tools/plan.sh': '', 'data/x.json': '{}', 'unrelated.sh': '' });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    const { stderr } = await running.ended;
    const lines = stderr.split('\n').filter((line) => line.includes('no room has it'));
    expect(lines.map((line) => line.replace('divisi: ', ''))).toEqual([
      'tools/config.sh is not committed, and `sh tools/config.sh` needs it: no room has it',
      'tools/plan.sh is not committed, and `sh tools/plan.sh --with=data/x.json` needs it: no room has it',
      'data/x.json is not committed, and `sh tools/plan.sh --with=data/x.json` needs it: no room has it',
    ]);
    expect(stderr).toContain('once that is committed, `divisi update` brings it into this run\n');
  });

  it('is named, too, where a script of package.json needs it, or where it is a whole folder', async () => {
    const scripts = { check: 'node "scripts/check.mjs" && rm -rf dist', build: 'true' };
    const cwd = project({
      config: 'grace: 1\nworkspace: { setup: [], accept: [[npm, run, --silent, check], [npm, run, build]] }\n',
      files: { 'package.json': JSON.stringify({ scripts }), '.gitignore': 'dist\n' },
      waves: [[{ id: '1.1', accept: '`node --test cases`; `node --test src`' }]],
    });
    put(cwd, { 'scripts/check.mjs': '', 'cases/a.test.mjs': '', 'dist/a.js': '', 'build/a.js': '' });
    const { stderr } = await startDivisi(['run', 'plan.md'], { cwd }).ended;
    const lines = stderr.split('\n').filter((line) => line.includes('no room has it'));
    expect(lines.map((line) => line.replace('divisi: ', ''))).toEqual([
      'scripts/check.mjs is not committed, and `npm run --silent check` needs it: no room has it',
      'cases is not committed, and `node --test cases` needs it: no room has it',
    ]);
  });
});

describe.concurrent('what a room has for itself', patient, () => {
  const config = (trace: string): string =>
    [
      'grace: 1',
      'workspace:',
      `  setup: [[sh, say.sh, setup, ${trace}]]`,
      `  accept: [[sh, say.sh, accept, ${trace}]]`,
      `  teardown: [[sh, say.sh, teardown, ${trace}]]`,
      '  ports: [web, db]',
    ].join('\n');
  const files = { 'say.sh': 'echo "$1 $DIVISI_SLUG $DIVISI_PORT_WEB $DIVISI_PORT_DB" >> "$2"\n' };
  const said = (trace: string): string[][] =>
    existsSync(trace)
      ? readFileSync(trace, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => line.split(' '))
      : [];

  it('is the same for set-up, agent, checks and teardown, and different from that of another room', async () => {
    const at = folder();
    const trace = join(at, 'trace');
    const agent = { run: [['sh', 'say.sh', 'agent', trace]], write: { 'x.txt': '' } };
    const cwd = gitProject(at, {
      config: config(trace),
      files,
      waves: [['1.1', '1.2']],
      acts: {
        '1.1': { ...agent, write: { '1.1.txt': '1' } },
        '1.2': { ...agent, write: { '1.2.txt': '2' }, afterStart: '1.1 1' },
      },
    });
    // A state of its own: rooms of other tests take slugs, too.
    const { code, stderr } = await startDivisi(['run', 'plan.md'], {
      cwd,
      variables: { DIVISI_STATE: join(at, 'state') },
    }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = said(trace);
    for (const task of ['1-1', '1-2']) {
      const own = lines.filter(([, slug]) => slug === `project-${task}`);
      expect(own.map(([step]) => step)).toEqual(['setup', 'agent', 'accept', 'teardown']);
      expect(new Set(own.map((words) => words.slice(1).join(' '))).size).toBe(1);
    }
    // Both tasks, the review and the check of the wave.
    expect(lines.filter(([step]) => step === 'teardown')).toHaveLength(
      lines.filter(([step]) => step === 'setup').length,
    );
    const [one, other] = ['project-1-1', 'project-1-2'].map((slug) => lines.find((line) => line[1] === slug)?.slice(2));
    for (const port of [...(one ?? []), ...(other ?? [])]) expect(port).toMatch(/^2\d{4}$/);
    expect(readFileSync(join(at, 'state/ports/claims.json'), 'utf8')).toBe('[]');
  });

  it('is torn down by clean after the run was killed', async () => {
    const at = folder();
    const trace = join(at, 'trace');
    const cwd = gitProject(at, { config: config(trace), files, acts: { '1.1': { afterStart: 'never 1' } } });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(() => existsSync(join(at, 'agent/starts.log')), Boolean);
    running.kill('SIGKILL');
    await running.ended;
    await divisiTo(0, cwd, 'cancel');
    // Set-up and checks are tried out in rooms of their own, too.
    const ofTask = (): string[][] => said(trace).filter(([, slug = '']) => /-1-1(?:-\d+)?$/.test(slug));
    expect(ofTask().map(([step]) => step)).toEqual(['setup']);
    await divisiTo(0, cwd, 'clean');
    expect(ofTask().map(([step]) => step)).toEqual(['setup', 'teardown']);
    expect(ofTask()[0]?.slice(1)).toEqual(ofTask()[1]?.slice(1));
    expect(roomsLeft(cwd)).toEqual([]);
  });
});

describe.concurrent('a config that was fixed', patient, () => {
  it('counts for the next run of the plan', async () => {
    const cwd = project({ config: 'workspace:\n  setup: [["false"]]\n' });
    await divisiTo(exitCodes.usage, cwd, 'run', 'plan.md');
    put(cwd, { '.divisi/config.yaml': 'grace: 1\n' });
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
  });
});

describe.concurrent('what set-up changes', patient, () => {
  const sample = {
    config: "grace: 1\nworkspace:\n  setup: [[sh, -c, 'echo {} > lock.json; echo g > gen.txt; rm -f old.txt']]\n",
    files: { 'lock.json': '{"a": 1}\n', 'old.txt': 'x\n' },
  };

  it('is not part of the work: an honest agent stays in its scope, and the work still verifies later', async () => {
    const cwd = project({
      ...sample,
      waves: [[{ id: '1.1', scope: 'out' }, '1.2']],
      acts: {
        '1.1': [
          { write: { 'out/1.1.txt': 'x' }, claims: { 'out/no.txt': 'create' } },
          { write: { 'out/more.txt': 'x' }, claims: { out: 'edit' } },
        ],
        '1.2': {
          write: { '1.2.txt': 'x' },
          claims: { '1.2.txt': 'create', 'lock.json': 'edit', 'gen.txt': 'create', 'old.txt': 'delete' },
        },
      },
    });
    const before = checkoutOf(cwd);
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect([verdictsOf(cwd, '1.1'), verdictsOf(cwd, '1.2')]).toEqual([
      ['rejected claimed-unchanged changed-unclaimed', 'verified'],
      ['verified'],
    ]);
    expect(changedOn(cwd)).toEqual(['A 1.2.txt', 'A out/1.1.txt', 'A out/more.txt']);
    await divisiTo(0, cwd, 'verify');
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('is the agent’s if it changes the file further; `divisi diff` shows only that', async () => {
    const acts = {
      '1.1': { write: { 'out/1.1.txt': 'x', 'lock.json': '{"mine": 1}\n' }, claims: { out: 'edit' as const } },
    };
    const cwd = project({ ...sample, waves: [[{ id: '1.1', scope: 'out' }]], acts });
    const output = await divisiTo(exitCodes.needsAnswer, cwd, 'run', 'plan.md');
    expect(output).toContain('1.1 rejected: changed files outside the scope out: lock.json\n');
    const { where, files } = JSON.parse(await divisiTo(0, cwd, 'diff', '1.1', '--json')) as {
      where: string;
      files: { path: string }[];
    };
    expect({ where, paths: files.map(({ path }) => path) }).toEqual({
      where: 'folder',
      paths: ['lock.json', 'out/1.1.txt'],
    });
  });
});

describe.concurrent('an acceptance command that does not end', patient, () => {
  it('is ended with everything it started', async () => {
    const cwd = project({
      config: 'workspace:\n  timeout: 1\n',
      files: { 'hang.sh': 'sleep 1000 &\nsetsid sleep 1000 &\nwait\n' },
      waves: [[{ id: '1.1', accept: 'run: sh hang.sh' }]],
      acts: { '1.1': [{ write: { '1.1.txt': 'x' } }, { write: { 'hang.sh': 'exit 0\n' } }] },
    });
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toContain('1.1 rejected: sh hang.sh: timed out after 1 s\n');
    expect(verdictsOf(cwd, '1.1')).toEqual([
      'rejected acceptance-failed',
      'degraded changed-unclaimed command-changed',
    ]);
    expect(findMarked(ledgerOf(cwd).report.run)).toEqual({ supported: true, processes: [] });
  });
});

describe.concurrent('a checkout that is not clean', patient, () => {
  it('is said at the start, is not part of the run, and stays as it is', async () => {
    const cwd = project({ files: { 'b.txt': 'b\n' } });
    put(cwd, { 'b.txt': 'stashed\n' });
    git(cwd, 'stash', '--quiet');
    put(cwd, { 'README.md': 'half done\n', 'staged.txt': 'x', 'untracked.txt': 'x' });
    git(cwd, 'add', 'staged.txt');
    const before = checkoutOf(cwd);
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toMatch(
      /3 changes in your checkout are not committed and not part of the run, which starts at [0-9a-f]{10}\n/,
    );
    expect(seenBy(cwd, '1.1').filter((path) => /staged|untracked/.test(path))).toEqual([]);
    expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});

describe.concurrent('repositories of all kinds', patient, () => {
  it('work: names with spaces and umlauts, a part of a larger one, another branch, hooks, signatures', async () => {
    const prefix = 'packages/ä b';
    const cwd = gitProject(join(folder(), 'Größe mit Leerzeichen'), {
      prefix,
      settings: ['Base branch: other'],
      waves: [[{ id: '1.1', scope: 'src' }, '1.2'], ['2.1']],
      acts: {
        '1.1': { write: { 'src/ü "x" y.txt': 'x' } },
        '1.2': [
          { write: { '1.2.txt': 'x', '../../top.txt': 'x' }, claims: { '1.2.txt': 'create' } },
          { delete: ['../../top.txt'], claims: { '1.2.txt': 'create' } },
        ],
      },
    });
    const top = join(cwd, '../..');
    git(top, 'switch', '--quiet', '--create', 'other');
    put(cwd, { 'other.txt': 'x' });
    commitAll(top, 'Other');
    git(top, 'switch', '--quiet', 'main');
    const hooks = ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout', 'post-merge', 'reference-transaction'];
    const hook = `#!/bin/sh\necho hooked >> "${join(top, '../agent/hooked')}"\n`;
    put(join(top, '.git/hooks'), Object.fromEntries(hooks.map((name) => [name, hook])));
    for (const name of hooks) chmodSync(join(top, '.git/hooks', name), 0o755);
    git(top, 'config', 'commit.gpgSign', 'true');
    git(top, 'config', 'gpg.program', '/bin/false');
    const before = checkoutOf(cwd);
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toContain('1.2 rejected: changed files outside the scope: top.txt (outside the project)\n');
    expect(seenBy(cwd, '1.1', 1, prefix)).toContain('other.txt');
    expect(
      git(top, '-c', 'core.quotePath=false', 'diff', '--name-only', '-z', 'other', runBranchOf(cwd)).split('\0'),
    ).toEqual(['1.2.txt', '2.1.txt', 'src/ü "x" y.txt', ''].map((path) => (path === '' ? '' : `${prefix}/${path}`)));
    expect(existsSync(join(top, '../agent/hooked'))).toBe(false);
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it('work: a shallow clone', async () => {
    const origin = project({});
    put(origin, { 'more.txt': 'x' });
    commitAll(origin, 'More');
    git(join(origin, '..'), 'clone', '--quiet', '--depth=1', `file://${origin}`, 'clone');
    const cwd = join(origin, '../clone');
    const before = checkoutOf(cwd);
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(commitsOf(cwd).map(({ task }) => task)).toEqual(['1.1']);
    expect(checkoutOf(cwd)).toEqual(before);
  });

  it.each<[string, string, (cwd: string) => void]>([
    [
      'sparse checkouts',
      'sparse checkouts are not supported yet',
      (cwd) => void git(cwd, 'sparse-checkout', 'set', 'src'),
    ],
    ['repositories without a commit', 'no commits yet', (cwd) => void git(cwd, 'update-ref', '-d', 'HEAD')],
    [
      'a base that is not there',
      'no branch or commit named nowhere',
      (cwd) => {
        put(cwd, {
          'plan.md': readFileSync(join(cwd, 'plan.md'), 'utf8').replace(
            '- Command',
            '- Base branch: nowhere\n- Command',
          ),
        });
      },
    ],
  ])('refused before anything is started: %s', async (_, words, make) => {
    const cwd = project({});
    make(cwd);
    const before = checkoutOf(cwd);
    const output = await divisiTo(exitCodes.usage, cwd, 'run', 'plan.md');
    expect(output).toContain(words);
    expect(existsSync(join(cwd, '../agent/starts.log'))).toBe(false);
    expect(checkoutOf(cwd)).toEqual(before);
  });
});
