import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isAlive, ownIdentity } from './identity.ts';
import { canReadProcesses, parseStat, processStat } from './process-stat.ts';

describe('an identity', () => {
  const own = ownIdentity('divisi run');

  it('says who this process is, the same each time', () => {
    expect(own).toMatchObject({ pid: process.pid, command: 'divisi run' });
    expect(ownIdentity('divisi run')).toEqual(own);
    expect(isAlive(own)).toBe(true);
  });

  it('of another host counts as alive, whatever its number', () => {
    expect(isAlive({ ...own, host: 'elsewhere', pid: 2 ** 30 })).toBe(true);
  });

  it('of a process that has ended is dead', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const identity = { ...own, pid, started: processStat(pid)?.started ?? '' };
    expect(isAlive(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(identity)).toBe(false);
  });

  it.skipIf(!canReadProcesses)('is dead when another process has its number, or the machine was restarted', () => {
    expect(isAlive({ ...own, started: String(Number(own.started) + 1) })).toBe(false);
    expect(isAlive({ ...own, boot: 'another' })).toBe(false);
  });

  it.skipIf(!canReadProcesses)('of a process that only waits to be noticed is dead', async () => {
    // The shell becomes `sleep`, which never looks after the child it was given.
    const child = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 30']);
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(String(text));
    for (let at = 0; processStat(pid)?.zombie !== true && at < 200; at += 1)
      await new Promise((go) => setTimeout(go, 5));
    const stat = processStat(pid);
    expect(stat?.zombie).toBe(true);
    expect(isAlive({ ...own, pid, started: stat?.started ?? '' })).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
});

describe('what the system says of a process', () => {
  it('is read past a name with brackets and blanks in it', () => {
    const rest = Array.from({ length: 40 }, (_, at) => at + 4).join(' ');
    expect(parseStat(7, `7 (a) Z (b c) S ${rest}`)).toEqual({
      pid: 7,
      parent: 4,
      started: '22',
      zombie: false,
      group: 5,
      ticks: 14 + 15 + 16 + 17,
    });
    expect(parseStat(7, `7 (x) Z ${rest}`)?.zombie).toBe(true);
    expect(parseStat(7, '7 (x) S 1')).toBeNull();
    expect(parseStat(7, '')).toBeNull();
  });
});
