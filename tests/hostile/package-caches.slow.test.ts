/** Set-up in a room where the user's own caches cannot be written to: npm, pnpm and pip use those of the project. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canConfine } from '../support/can-confine.ts';
import { temporaryFolders, type Files } from '../support/temporary-folder.ts';
import { confinedProject, runConfined, workOf } from './confined-project.ts';

const folder = temporaryFolders();
const caches = ['.npm', '.cache', '.local/share/pnpm', '.cargo'];

/** An archive that a package manager installs without a registry. */
function archive(): Buffer {
  const at = folder({
    'package/package.json': '{"name":"dep","version":"1.0.0","main":"i.js"}',
    'package/i.js': 'module.exports = 7;\n',
  });
  return execFileSync('tar', ['czf', '-', '-C', at, 'package']);
}

async function setUp(config: string, agent: string, files: Files, path = process.env['PATH'] ?? '') {
  const made = confinedProject(folder(), { mode: 'files', agent, config, files });
  for (const one of caches) mkdirSync(join(made.home, one), { recursive: true });
  const ran = await runConfined(made, { PATH: path });
  const written = caches.filter((one) => readdirSync(join(made.home, one)).length > 0);
  const [state = ''] = globSync('.local/state/divisi/projects/*/cache', { cwd: made.home });
  return { ...made, ran, written, cached: readdirSync(join(made.home, state)) };
}

const files = (): Files => ({
  'package.json': '{"name":"app","version":"1.0.0","dependencies":{"dep":"file:dep.tgz"}}',
  'dep.tgz': archive(),
  '.gitignore': 'node_modules\n',
});
const agent = `node -e "require('fs').writeFileSync('seen.txt', String(require('dep')))"`;

describe.skipIf(!canConfine)('set-up in a room', { timeout: 240_000 }, () => {
  it('with npm', async () => {
    const config = 'workspace: { setup: [[npm, install, --no-audit, --no-fund, --no-package-lock]] }\n';
    const { ran, project, written, cached } = await setUp(config, agent, files());
    expect([ran.code, workOf(project, 'seen.txt'), written]).toEqual([0, '7', []]);
    expect(cached).toContain('npm');
  });

  it('with pnpm', async ({ skip }) => {
    const at = folder();
    const args = ['install', '--prefix', at, '--no-audit', '--no-fund', '--ignore-scripts', 'pnpm@9'];
    if (spawnSync('npm', args, { timeout: 100_000 }).status !== 0) return skip('pnpm is not in reach of npm');
    const config = 'workspace: { setup: [[pnpm, install, --offline, --no-lockfile]] }\n';
    const path = [join(at, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
    const { ran, project, written } = await setUp(config, agent, files(), path);
    expect([ran.code, workOf(project, 'seen.txt'), written]).toEqual([0, '7', []]);
  });

  it.runIf(spawnSync('python3', ['-m', 'venv', '--help']).status === 0)('with pip', async () => {
    const config = `workspace: { setup: [[sh, setup.sh]] }\n`;
    const files = {
      'setup.sh': 'set -e\npython3 -m venv .venv\n.venv/bin/pip --version\n.venv/bin/pip cache dir > cache.txt\n',
      '.gitignore': '.venv\n',
    };
    const { ran, project, written } = await setUp(config, 'cp cache.txt seen.txt; echo >> seen.txt', files);
    expect([ran.code, written]).toEqual([0, []]);
    expect(workOf(project, 'seen.txt')).toMatch(/projects\/project-[0-9a-f]{8}\/cache\/pip/);
  });

  it('names the path that a command may not write to', async () => {
    const config = 'workspace: { setup: [[sh, -c, "mkdir -p $HOME/.m2/repository"]] }\n';
    const { ran, home } = await setUp(config, agent, {});
    expect(`${ran.stdout}${ran.stderr}`).toContain(join(home, '.m2'));
    expect(`${ran.stdout}${ran.stderr}`).toContain('is outside the room: add it to confine.writable');
    expect(existsSync(join(home, '.m2'))).toBe(false);
  });
});
