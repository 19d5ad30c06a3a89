import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { markerEnvironment } from './marker.ts';
import { canReadProcesses } from './process-stat.ts';
import { type ProcessActivity, runActivity } from './run-activity.ts';

const run = `run_activity_${process.pid}`;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(delegation: string, program: string, ...args: string[]): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...markerEnvironment({ run, delegation }) };
  const child = spawn(program, args, { env, stdio: 'ignore' });
  children.push(child);
  return child;
}

function look(delegation: string): ProcessActivity {
  const seen = runActivity(run);
  return (seen.supported ? seen.delegations.get(delegation) : undefined) ?? { ticks: -1, processes: [] };
}

describe.skipIf(canReadProcesses)('where processes cannot be seen', () => {
  it('says so', () => {
    expect(runActivity(run)).toEqual({ supported: false });
  });
});

describe.skipIf(!canReadProcesses)('the processes of a delegation', () => {
  it('a busy one uses the processor, one that sleeps does not', async () => {
    start('sess_busy', 'sh', '-c', 'while :; do :; done');
    start('sess_idle', 'sleep', '60');
    await vi.waitFor(() =>
      expect([look('sess_busy'), look('sess_idle')].map((one) => one.processes.length)).toEqual([1, 1]),
    );
    const before = { busy: look('sess_busy'), idle: look('sess_idle') };
    await vi.waitFor(() => expect(look('sess_busy').ticks).toBeGreaterThan(before.busy.ticks + 10), 5000);
    expect(look('sess_idle')).toEqual(before.idle);
  });

  it('what a child used is not lost when it ends, and it has come and gone', async () => {
    const busy = 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done';
    const script = `read go; (${busy}); sleep 60 & echo done; wait`;
    const env = { PATH: process.env['PATH'] ?? '', ...markerEnvironment({ run, delegation: 'sess_parent' }) };
    const child = spawn('sh', ['-c', script], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    await vi.waitFor(() => expect(look('sess_parent').processes).toHaveLength(1));
    const before = look('sess_parent');
    child.stdin.end('go\n');
    await once(child.stdout, 'data');
    const after = look('sess_parent');
    expect(after.ticks).toBeGreaterThan(before.ticks + 3);
    expect(after.processes).toHaveLength(2);
    expect(after.processes).toContain(before.processes[0]);
  });

  it('one that was killed is no longer there', async () => {
    const child = start('sess_killed', 'sleep', '60');
    await vi.waitFor(() => expect(look('sess_killed').processes).toHaveLength(1));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(look('sess_killed')).toEqual({ ticks: -1, processes: [] });
  });
});
