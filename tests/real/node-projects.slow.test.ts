/**
 * Ordinary Node projects, as people have them: installed in the checkout, with no config of ours. A check must test the work of the
 * agent, never the checkout, and never fail because a room lacks what the project needs.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  divisiTo,
  git,
  gitProject,
  type GitSample,
  runBranchOf,
  startsIn,
  tell,
  verdictsOf,
  verificationsOf,
} from '../support/git-project.ts';
import { environment } from '../support/divisi.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

const folder = temporaryFolders();

/** Two packages, one of which uses the other by its name: what `npm install` links is in the checkout. */
const workspaces = {
  'package.json': JSON.stringify({ name: 'top', private: true, workspaces: ['packages/*'] }),
  '.gitignore': 'node_modules\n',
  'packages/lib/package.json': JSON.stringify({ name: '@own/lib', version: '1.0.0', main: 'index.js' }),
  'packages/lib/index.js': 'module.exports = (a, b) => a + b;\n',
  'packages/app/package.json': JSON.stringify({
    name: '@own/app',
    version: '1.0.0',
    dependencies: { '@own/lib': '*' },
  }),
  'packages/app/test.js':
    "const assert = require('node:assert');\nassert.strictEqual(require('@own/lib')(1, 2), 3, 'adds');\nconsole.log('ok');\n",
};

const check = 'run: node packages/app/test.js';

/** With what `npm install` makes: links to packages, and a lock file; no registry is asked. */
function installed(sample: GitSample): string {
  const top = folder();
  const cwd = gitProject(top, { files: workspaces, ...sample });
  const npm = (...args: string[]): string =>
    execFileSync('npm', args, { cwd, env: { ...environment(cwd), npm_config_offline: 'true' }, encoding: 'utf8' });
  npm('install', '--no-audit', '--no-fund');
  git(cwd, 'add', 'package-lock.json');
  git(cwd, 'commit', '--quiet', '--message', 'Lock file');
  return cwd;
}

describe('an npm workspace without any config', { timeout: 240_000 }, () => {
  it('verifies good work, and rejects broken work by the assertion that fails', async () => {
    const cwd = installed({
      waves: [[{ id: '1.1', accept: check }]],
      acts: {
        '1.1': [
          { write: { 'packages/lib/index.js': 'module.exports = (a, b) => a - b;\n' } },
          { write: { 'packages/lib/index.js': 'module.exports = (a, b) => b + a;\n' } },
        ],
      },
    });
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toContain('each room set up with npm ci (package-lock.json)');
    expect(verdictsOf(cwd, '1.1').map((verdict) => verdict.split(' ')[0])).toEqual(['rejected', 'verified']);
    const [broken] = verificationsOf(cwd, '1.1');
    expect(broken?.commands[0]?.tail).toContain('adds');
    expect(JSON.stringify(broken)).not.toContain('Cannot find module');
    expect(existsSync(join(cwd, 'node_modules/@own/lib'))).toBe(true);
  });

  it('is told where set-up fails, before any agent is paid', async () => {
    const cwd = installed({ waves: [['1.1', '1.2', '1.3']] });
    writeFileSync(join(cwd, 'package-lock.json'), '{ not json');
    git(cwd, 'commit', '--quiet', '--all', '--message', 'A broken lock file');
    const output = await divisiTo(2, cwd, 'run', 'plan.md');
    expect(output).toMatch(/rooms cannot be set up: npm ci \(chosen because of package-lock\.json\) failed/);
    expect(output).toContain('`workspace: { setup: [["npm","ci"]] }`; `setup: []` means none');
    expect(output.match(/WORKSPACE_SETUP_FAILED/g)).toHaveLength(1);
    expect(await divisiTo(0, cwd, 'status')).toMatch(/: cancelled \(rooms cannot be set up: npm ci /);
    expect(existsSync(join(cwd, '../agent/starts.log'))).toBe(false);
  });

  it('is installed where it keeps no lock file', async () => {
    const sample = { waves: [[{ id: '1.1', accept: check }]], acts: { '1.1': { write: { 'note.txt': 'x' } } } };
    const cwd = gitProject(folder(), { files: workspaces, ...sample });
    const output = await divisiTo(0, cwd, 'run', 'plan.md');
    expect(output).toContain('set up with npm install --no-audit --no-fund (package.json)');
    expect(verdictsOf(cwd, '1.1')).toEqual(['verified']);
    expect(git(cwd, 'ls-tree', '--name-only', runBranchOf(cwd)).split('\n')).not.toContain('package-lock.json');
  });

  it('is left alone with `setup: []`', async () => {
    const cwd = installed({ waves: [['1.1']], config: 'grace: 1\nworkspace: { setup: [] }\n' });
    expect(await divisiTo(0, cwd, 'run', 'plan.md')).not.toContain('set up with');
  });
});

it('asks once about a check that cannot run, and pays for no second attempt', { timeout: 240_000 }, async () => {
  const cwd = gitProject(folder(), { waves: [[{ id: '1.1', accept: 'run: no-such-program --version' }]] });
  const output = await divisiTo(5, cwd, 'run', 'plan.md');
  expect(output).toMatch(/needs you: 1\.1: environment: `no-such-program --version` cannot run in a room/);
  expect(startsIn(cwd)).toEqual(['1.1 1']);
});

it('works where the home folder is below a dot folder: no room is', { timeout: 240_000 }, async () => {
  const top = folder();
  const home = join(top, '.hidden/home');
  mkdirSync(home, { recursive: true });
  const cwd = gitProject(top, { waves: [['1.1']] });
  tell(cwd, { '1.1': { write: { 'where.txt': 'x' }, run: [['sh', '-c', 'case "$PWD" in */.*) exit 1;; esac']] } });
  const { divisi } = await import('../support/divisi.ts');
  const variables = { HOME: home, DIVISI_ROOMS: '', DIVISI_STATE: join(top, 'state') };
  const { code, stdout } = await divisi(['run', 'plan.md'], { cwd, variables });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('1.1 completed') as string });
});
