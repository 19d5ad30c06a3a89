/** Projects that find their own files by other ways than paths: packages of a workspace, an editable install, a server's root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environment } from '../support/divisi.ts';
import { commitAll, divisiTo, gitProject, type GitSample, put, startsIn, tell } from '../support/git-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { brokenThenGood } from './broken-then-good.ts';

const folder = temporaryFolders();

/** As `send` does: a dot in any part of the absolute path, and the file is not there. */
const server = `const http = require('node:http'), fs = require('node:fs'), path = require('node:path');
module.exports = http.createServer((request, response) => {
  const file = path.join(__dirname, 'public', request.url);
  const isHidden = file.split(path.sep).some((part) => part.startsWith('.'));
  if (isHidden || !fs.existsSync(file)) return void response.writeHead(404).end('not found');
  response.end(fs.readFileSync(file));
});
`;
const asks = `const assert = require('node:assert'), server = require('./server.js');
server.listen(0, async () => {
  const said = await fetch('http://127.0.0.1:' + server.address().port + '/sum.txt');
  server.close();
  assert.strictEqual((await said.text()).trim(), '3', 'adds up');
});
`;

it('a server that refuses dot paths, with the home folder below one', { timeout: 240_000 }, async () => {
  const top = folder();
  const home = join(top, '.hidden/home');
  mkdirSync(home, { recursive: true });
  const cwd = gitProject(top, {
    waves: [[{ id: '1.1', accept: 'run: node test.js' }]],
    files: { 'server.js': server, 'test.js': asks, 'public/sum.txt': '3' },
  });
  const acts = [{ write: { 'public/sum.txt': '4' } }, { write: { 'public/sum.txt': '3\n' } }];
  expect(await brokenThenGood(cwd, acts, { HOME: home, DIVISI_ROOMS: '' })).toContain('1.1 completed');
});

describe('a pnpm monorepo without any config', { timeout: 240_000 }, () => {
  const files = {
    'package.json': JSON.stringify({ name: 'top', private: true }),
    'pnpm-workspace.yaml': 'packages: [packages/*]\n',
    '.gitignore': 'node_modules\n',
    'packages/lib/package.json': JSON.stringify({ name: '@own/lib', version: '1.0.0', main: 'index.js' }),
    'packages/lib/index.js': 'module.exports = (a, b) => a + b;\n',
    'packages/app/package.json': JSON.stringify({
      name: '@own/app',
      version: '1.0.0',
      dependencies: { '@own/lib': 'workspace:*' },
    }),
    'packages/app/test.js': "require('node:assert').strictEqual(require('@own/lib')(1, 2), 3, 'adds');\n",
  };
  const acts = [
    { write: { 'packages/lib/index.js': 'module.exports = (a, b) => a - b;\n' } },
    { write: { 'packages/lib/index.js': 'module.exports = (a, b) => b + a;\n' } },
  ];

  /** The folder of pnpm; undefined where neither this machine nor a registry has it. */
  function pnpmFolder(): string | undefined {
    if (spawnSync('pnpm', ['--version']).status === 0) return '';
    const at = folder();
    const args = ['install', '--prefix', at, '--no-audit', '--no-fund', '--ignore-scripts', 'pnpm@9'];
    const { status } = spawnSync('npm', args, { timeout: 60_000 });
    return status === 0 ? join(at, 'node_modules/.bin') : undefined;
  }

  it('verifies good work, and rejects broken work by its assertion', async ({ skip }) => {
    const pnpm = pnpmFolder();
    if (pnpm === undefined) return skip('pnpm is neither installed nor in reach of npm');
    const top = folder();
    const cwd = gitProject(top, { waves: [[{ id: '1.1', accept: 'run: node packages/app/test.js' }]], files });
    const own = environment(cwd);
    const PATH = [pnpm, own['PATH'] ?? ''].filter(Boolean).join(delimiter);
    execFileSync('pnpm', ['install', '--offline'], { cwd, env: { ...own, PATH }, stdio: 'pipe' });
    commitAll(cwd, 'Lock file');
    const output = await brokenThenGood(cwd, acts, { PATH });
    expect(output).toContain('each room set up with pnpm install --frozen-lockfile (pnpm-lock.yaml)');
  });
});

const hasPython = spawnSync('python3', ['-m', 'venv', '--help']).status === 0;

describe.runIf(hasPython)('an editable Python install', { timeout: 240_000 }, () => {
  /** What `pip install --editable .` leaves, without asking a registry. */
  const install = `python3 -m venv --without-pip .venv
for packages in .venv/lib/python*/site-packages; do echo "$PWD/src" > "$packages/own.pth"; done
`;
  const files = {
    '.gitignore': '.venv\n__pycache__\n',
    'install.sh': install,
    'src/own/__init__.py': 'def add(a, b):\n    return a + b\n',
    'test.py': 'import own\nassert own.add(1, 2) == 3, "adds"\n',
  };
  // Of different lengths: Python trusts what it compiled from a file of the same second and length.
  const acts = [
    { write: { 'src/own/__init__.py': 'def add(a, b):\n    return a - b\n' } },
    { write: { 'src/own/__init__.py': 'def add(a, b):\n    return sum((a, b))\n' } },
  ];
  const waves = [[{ id: '1.1', accept: 'run: .venv/bin/python test.py' }]];

  function installed(sample: GitSample): string {
    const cwd = gitProject(folder(), { waves, files, ...sample });
    execFileSync('sh', ['install.sh'], { cwd, env: environment(cwd), stdio: 'pipe' });
    return cwd;
  }

  it('is made in each room by set-up: broken work is rejected by its assertion', async () => {
    const cwd = installed({ config: 'grace: 1\nworkspace: { setup: [[sh, install.sh]] }\n' });
    expect(await brokenThenGood(cwd, acts)).toContain('1.1 completed');
  });

  it.each(['link', 'copy'])('is refused where a room would get that of the checkout: %s', async (key) => {
    const cwd = installed({ config: `grace: 1\nworkspace: { ${key}: [.venv] }\n` });
    tell(cwd, { '1.1': acts });
    const output = await divisiTo(2, cwd, 'run', 'plan.md');
    expect(output).toMatch(
      new RegExp(`workspace\\.${key}: \\.venv leads back into your checkout \\(\\.venv/lib/.*/own\\.pth\\)`),
    );
    expect(startsIn(cwd)).toEqual([]);
  });
});

it('packages of a workspace behind a linked node_modules are refused', { timeout: 240_000 }, async () => {
  const cwd = gitProject(folder(), {
    config: 'workspace: { link: [node_modules] }\n',
    files: { '.gitignore': 'node_modules\n' },
  });
  put(cwd, { 'packages/lib/index.js': '' });
  mkdirSync(join(cwd, 'node_modules/@own'), { recursive: true });
  execFileSync('ln', ['-s', '../../packages/lib', 'node_modules/@own/lib'], { cwd });
  expect(await divisiTo(2, cwd, 'run', 'plan.md')).toContain(
    'workspace.link: node_modules leads back into your checkout (node_modules/@own/lib)',
  );
});
