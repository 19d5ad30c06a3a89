/** Set-up in ordinary projects: done once where its result can be shared, in every room where it cannot. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { divisi, environment } from '../support/divisi.ts';
import { divisiTo, git, gitProject, type GitSample, verdictsOf, verificationsOf } from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

/** The folders with output of set-up commands: each stands for one set-up. */
function setUps(cwd: string): string[] {
  const checks = join(cwd, '.divisi/runs', ledgerOf(cwd).report.run, 'checks');
  return readdirSync(checks).filter((name) => existsSync(join(checks, name, 'setup-1.txt')));
}

interface SetUpShown {
  readonly found: string;
  readonly measured?: Readonly<Record<string, unknown>>;
}

async function doctorOn(cwd: string): Promise<SetUpShown> {
  const { stdout } = await divisi(['doctor', '--json'], { cwd });
  const shown = JSON.parse(stdout) as { checks: (SetUpShown & { name: string })[] };
  return shown.checks.find(({ name }) => name === 'set-up') ?? { found: 'nothing' };
}

describe('an npm workspace', { timeout: 240_000 }, () => {
  const files = {
    'package.json': JSON.stringify({ name: 'top', private: true, workspaces: ['packages/*'] }),
    '.gitignore': 'node_modules\n',
    'packages/lib/package.json': JSON.stringify({ name: '@own/lib', version: '1.0.0', main: 'index.js' }),
    'packages/lib/index.js': 'module.exports = (a, b) => a + b;\n',
    'packages/app/package.json': JSON.stringify({ name: '@own/app', version: '1.0.0' }),
    'packages/app/test.js':
      "const assert = require('node:assert');\nassert.strictEqual(require('@own/lib')(1, 2), 3, 'adds');\nassert(require.resolve('@own/lib').startsWith(process.cwd()));\n",
  };

  function installed(sample: GitSample): string {
    const cwd = gitProject(folder(), { files, ...sample });
    const env = { ...environment(cwd), npm_config_offline: 'true' };
    execFileSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd, env });
    git(cwd, 'add', 'package-lock.json');
    git(cwd, 'commit', '--quiet', '--message', 'Lock file');
    return cwd;
  }

  it('is set up once; every room tests its own packages, and doctor has the figures', async () => {
    const accept = 'run: node packages/app/test.js';
    const cwd = installed({
      waves: [
        [
          { id: '1.1', accept },
          { id: '1.2', accept },
        ],
      ],
      acts: {
        '1.1': { write: { 'packages/app/note.txt': 'x' } },
        '1.2': [
          { write: { 'packages/lib/index.js': 'module.exports = (a, b) => a - b;\n' } },
          { write: { 'packages/lib/index.js': 'module.exports = (a, b) => b + a;\n' } },
        ],
      },
    });
    expect((await doctorOn(cwd)).found).toBe(
      'npm ci (because of package-lock.json), not measured yet: the first run does',
    );
    await divisiTo(0, cwd, 'run', 'plan.md');
    expect(setUps(cwd)).toEqual(['set-up']);
    expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
    expect(verdictsOf(cwd, '1.2').map((verdict) => verdict.split(' ')[0])).toEqual(['rejected', 'verified']);
    const [broken] = verificationsOf(cwd, '1.2');
    expect(broken?.commands[0]?.tail).toContain('adds');
    expect(JSON.stringify(broken)).not.toContain('Cannot find module');
    const { found, measured } = await doctorOn(cwd);
    expect(found).toMatch(
      /^npm ci \(because of package-lock\.json\), .* once, then (?:copied|reflinked) into each new room in .* \(\d+ files, /,
    );
    expect(measured).toMatchObject({ notKeptBecause: null, files: expect.any(Number) as number });
  });
});

it('a virtual environment made by hand is made in every room, and doctor says why', { timeout: 240_000 }, async () => {
  const venv =
    'mkdir -p .venv/bin\necho "home = /usr/bin" > .venv/pyvenv.cfg\necho "command = python3 -m venv $PWD/.venv" >> .venv/pyvenv.cfg\necho "$PWD/src" > .venv/own.pth\n';
  const cwd = gitProject(folder(), {
    config: 'grace: 1\nworkspace:\n  setup: [[sh, make-venv.sh]]\n',
    files: {
      'make-venv.sh': venv,
      'check.sh': 'grep -q "^$PWD/src$" .venv/own.pth\n',
      '.gitignore': '.venv\n',
      // It only reads, so its room is not set up.
      '.divisi/agents/wave-reviewer.md':
        '---\ndescription: Reads\ncontract: wave-review\ntools: Read, Grep\n---\nRead.\n',
    },
    waves: [['1.1', { id: '1.2', accept: 'run: sh check.sh' }]],
    acts: { '1.1': { write: { '1.1.txt': 'x' } }, '1.2': { write: { '1.2.txt': 'x' } } },
  });
  await divisiTo(0, cwd, 'run', 'plan.md');
  expect(setUps(cwd)).toEqual(['1.1-1', '1.2-1', 'canary', 'check-wave-1', 'set-up']);
  const { found, measured } = await doctorOn(cwd);
  expect(found).toMatch(
    /^sh make-venv\.sh \(workspace\.setup\), .* in each new room: its result is not kept, because \.venv\/(?:own\.pth|pyvenv\.cfg) names the room's own path$/,
  );
  expect(measured).toMatchObject({ notKeptBecause: expect.stringContaining('.venv/') as string, bytes: 0 });
});

it('a seed in which a check fails that set-up makes pass is refused', { timeout: 240_000 }, async () => {
  const cwd = gitProject(folder(), {
    config: 'grace: 1\nworkspace:\n  setup: [[sh, set-up.sh]]\n  accept: [[sh, check.sh]]\n',
    files: {
      // Not an executable: no one reads it when the seed is made.
      'set-up.sh': 'mkdir -p node_modules\necho "$PWD" > node_modules/where.txt\n',
      'check.sh': 'test "$(cat node_modules/where.txt)" = "$PWD"\n',
      '.gitignore': 'node_modules\n',
    },
    // Attempts of the first are in a room from the seed until the seed is refused.
    acts: { '1.1': [{ write: { '1.1.txt': 'x' } }, { claims: { '1.1.txt': 'create' } }] },
  });
  await divisiTo(0, cwd, 'run', 'plan.md');
  expect(verdictsOf(cwd, '1.1').at(-1)).toBe('verified');
  expect(setUps(cwd)).toEqual(expect.arrayContaining(['canary-set-up', 'set-up']));
  expect((await doctorOn(cwd)).found).toContain('because `sh check.sh` passes only where set-up has run');
});
