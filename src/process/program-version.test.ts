import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fakePrograms } from '../../tests/support/fake-programs.ts';
import { temporaryFolders } from '../../tests/support/temporary-folder.ts';
import { type ProgramVersion, programVersion } from './program-version.ts';

const folder = temporaryFolders();
const environment = { PATH: process.env['PATH'] ?? '' };

async function ask(lines: string, limit?: number): Promise<ProgramVersion> {
  const at = fakePrograms(folder(), { it: lines });
  const more = limit === undefined ? {} : { limit };
  return programVersion({ program: join(at, 'it'), directory: at, environment, ...more });
}

describe('programVersion', () => {
  it.each([
    ['echo 1.2.3', '1.2.3'],
    ['[ "$1" = --version ] && echo "codex-cli 0.166.0"', '0.166.0'],
    ["echo 'GitHub Copilot CLI 1.0.102.'; echo 'Run 9.9.9'", '1.0.102'],
    ['echo 2.1.325-beta.1 "(Some Code)"', '2.1.325-beta.1'],
    ['echo warning 9.9.9 >&2; echo 1.0', '1.0'],
    ['echo nightly', 'nightly'],
    ["printf 'a\\033[31m\\tb'", 'a [31m b'],
  ])('%s', async (lines, version) => {
    expect(await ask(lines)).toEqual({ version });
  });

  it.each([
    ['exit 0', '--version said nothing'],
    ['echo 1.2.3; exit 3', '--version ended with 3'],
    ['echo "cannot find\\033[2J it" >&2; exit 1', '--version ended with 1: cannot find [2J it'],
    ['kill -9 $$', '--version ended with a signal'],
  ])('%s', async (lines, fault) => {
    expect(await ask(lines)).toEqual({ fault });
  });

  it('says so when it cannot be started', async () => {
    const said = await programVersion({ program: '/there/is/none', directory: '/', environment });
    expect(said).toEqual({ fault: expect.stringContaining('ENOENT') as string });
  });

  it('shows no secret', async () => {
    const said = await ask('echo sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789');
    expect(JSON.stringify(said)).not.toContain('abcdefghijklmnop');
  });

  it('does not wait for one that does not answer, and leaves nothing of it', async () => {
    const log = join(folder(), 'log');
    const before = Date.now();
    expect(await ask(`while :; do echo x >> ${log}; sleep 0.02; done & wait`, 1500)).toEqual({
      fault: 'it did not answer within 1.5 s',
    });
    expect(Date.now() - before).toBeLessThan(20_000);
    expect(existsSync(log)).toBe(true);
    const size = readFileSync(log).length;
    await sleep(150);
    expect(readFileSync(log).length - size).toBeLessThan(3);
  });

  it('does not wait for what it leaves running', async () => {
    const before = Date.now();
    expect(await ask('sleep 30 & echo 1.2.3')).toEqual({ version: '1.2.3' });
    expect(Date.now() - before).toBeLessThan(20_000);
  });

  it('keeps little of what it says', async () => {
    expect(await ask('echo 1.2.3; yes | head -c 1000000')).toEqual({ version: '1.2.3' });
  });
});
