/** Runs on a disk without space for rooms. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/output.ts';
import { changedOn, divisiTo, gitProject } from '../support/git-project.ts';
import { startDivisi } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

it('start nothing, say so, and can be stopped', patient, async () => {
  const at = folder();
  const cwd = gitProject(at, { config: 'grace: 1\nworkspace: { disk: 900 TiB }\n' });
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await until(
    () => running.stdout(),
    (text) => text.includes('waiting for disk space: '),
  );
  expect(await divisiTo(0, cwd, 'status')).toMatch(
    /1\.1 .*waiting for disk space: .* GiB free .* 921600\.0 GiB needed/,
  );
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(exitCodes.paused);
  expect(existsSync(join(at, 'agent/starts.log'))).toBe(false);
});

const small = folder();
const disk = join(small, 'rooms');
mkdirSync(disk, { mode: 0o700 });
const isMounted =
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=0700', 'divisi-test', disk]).status === 0;
if (!isMounted) console.warn('SKIPPED: a run on a small disk (needs root and the right to mount)');
afterAll(() => {
  if (isMounted) spawnSync('umount', ['--lazy', disk]);
});

it.skipIf(!isMounted)('continue by themselves when there is space again', patient, async () => {
  const cwd = gitProject(small, { config: 'grace: 1\nworkspace: { disk: 16 MiB }\n' });
  writeFileSync(join(disk, 'in-the-way'), Buffer.alloc(24 * 1024 ** 2));
  const running = startDivisi(['run', 'plan.md'], { cwd, variables: { DIVISI_ROOMS: disk } });
  await until(
    () => running.stdout(),
    (text) => text.includes('waiting for disk space: 8 MiB free'),
  );
  expect(existsSync(join(small, 'agent/starts.log'))).toBe(false);
  rmSync(join(disk, 'in-the-way'));
  const { code, stdout } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('enough disk space again') });
  expect(changedOn(cwd)).toEqual(['A 1.1.txt']);
});
