import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { processGroup } from './process-group.ts';
import { allPids, canReadProcesses, processStat } from './process-stat.ts';

const others = (group: number): number[] =>
  allPids().filter((pid) => pid !== group && processStat(pid)?.group === group && processStat(pid)?.zombie === false);

/** It says `up`, and at SIGUSR1 it leaves one process behind and ends. */
async function leader(): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', `trap 'sleep 60 & exit 0' USR1; echo up; while :; do sleep 0.02; done`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout as NodeJS.EventEmitter, 'data');
  return child;
}

describe.skipIf(!canReadProcesses)('a group whose leader has ended', () => {
  it('is still ours while someone who was in it is', async () => {
    const child = await leader();
    const pid = child.pid ?? 0;
    const group = processGroup(pid);
    group.signal('SIGUSR1');
    await once(child, 'exit');
    await vi.waitFor(() => expect(others(pid).length).toBeGreaterThan(0), { timeout: 30_000, interval: 5 });
    group.leaderEnded();
    expect(group.isEmpty()).toBe(false);
    group.signal('SIGKILL');
    await vi.waitFor(() => expect(group.isEmpty()).toBe(true), { timeout: 30_000, interval: 5 });
    expect(others(pid)).toEqual([]);
  });

  it('is left alone when everyone in it is someone else by now', async () => {
    const child = await leader();
    const pid = child.pid ?? 0;
    const group = processGroup(pid);
    await vi.waitFor(() => expect(others(pid)).toHaveLength(1), { timeout: 30_000, interval: 1 });
    group.leaderEnded();
    process.kill(-pid, 'SIGUSR1');
    await once(child, 'exit');
    await vi.waitFor(() => expect(others(pid)).toHaveLength(1), { timeout: 30_000, interval: 5 });
    expect(group.isEmpty()).toBe(true);
    group.signal('SIGKILL');
    expect(others(pid)).toHaveLength(1);
    process.kill(-pid, 'SIGKILL');
  });
});
