/** Leftovers of a trial that was stopped or killed. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesIn, type Running, startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { leftIn, nothing, tried, trialProject } from '../support/trial-project.ts';
import { divisi } from '../support/divisi.ts';
import { roomsFolder } from '../support/rooms.ts';

const folder = temporaryFolders();

/** At work in its folder. */
async function begin(cwd: string): Promise<Running> {
  const running = startDivisi(['try', 'mine', 'Hang'], { cwd });
  const hasWritten = (run: string): boolean => existsSync(join(roomsFolder(cwd), run, 'try/hello.txt'));
  await until(
    () => (existsSync(roomsFolder(cwd)) ? readdirSync(roomsFolder(cwd)).filter(hasWritten) : []),
    (runs) => runs.length === 1,
  );
  return running;
}

describe.concurrent('what is left of a trial', { timeout: 60_000 }, () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is nothing after %s', async (signal) => {
    const cwd = trialProject(folder);
    const running = await begin(cwd);
    expect(processesIn(cwd)).toHaveLength(1);
    running.kill(signal);
    const { code, stdout } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 4, stdout: expect.stringContaining('cancelled: stopped') });
    expect(processesIn(cwd)).toEqual([]);
    expect(leftIn(cwd)).toEqual(nothing);
  });

  it('is removed by the next one if it was killed, and never while it lives', async () => {
    const cwd = trialProject(folder);
    const running = await begin(cwd);
    expect((await divisi(['clean'], { cwd })).stdout).toMatch(/kept run_\w+: still running/);
    expect((await tried(cwd, 'mine', 'Greet')).code).toBe(0);
    expect(processesIn(cwd)).toHaveLength(1);
    running.kill('SIGKILL');
    await running.ended;
    expect(leftIn(cwd).folders).toHaveLength(1);
    expect((await tried(cwd, 'mine', 'Greet')).code).toBe(0);
    expect(processesIn(cwd)).toEqual([]);
    expect(leftIn(cwd)).toEqual(nothing);
  });

  it('is nothing when its terminal is gone', async () => {
    const cwd = trialProject(folder);
    const running = await begin(cwd);
    running.hangUp();
    running.kill('SIGHUP');
    await running.ended;
    expect(processesIn(cwd)).toEqual([]);
    expect(leftIn(cwd)).toEqual(nothing);
  });
});
