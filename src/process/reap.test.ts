import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { carriesMarker, markerEnvironment } from './marker.ts';
import { canReadProcesses, isRunning, processStat } from './process-stat.ts';
import { findMarked, killProcess, reap } from './reap.ts';

const run = `run_reap_${process.pid}`;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(script: string, delegation: string, of = run): number {
  const child = spawn('sh', ['-c', script], {
    env: { ...process.env, ...markerEnvironment({ run: of, delegation }) },
    stdio: 'ignore',
  });
  children.push(child);
  return child.pid ?? 0;
}

function found(delegation?: string): number[] {
  const answer = findMarked(run, delegation);
  return answer.supported ? answer.processes.map(({ pid }) => pid).toSorted((one, other) => one - other) : [];
}

describe('a marker', () => {
  it('is an entry of its own, whole', () => {
    const environ = 'A=1\0DIVISI_RUN=run_1\0DIVISI_DELEGATION=sess_1\0B=2\0';
    expect(carriesMarker(environ, 'run_1')).toBe(true);
    expect(carriesMarker(environ, 'run_1', 'sess_1')).toBe(true);
    expect(carriesMarker('DIVISI_RUN=run_1', 'run_1')).toBe(true);
    expect(carriesMarker(environ, 'run_1', 'sess_2')).toBe(false);
    expect(carriesMarker(environ, 'run_')).toBe(false);
    expect(carriesMarker('MY_DIVISI_RUN=run_1\0', 'run_1')).toBe(false);
    expect(carriesMarker('NOTE=DIVISI_RUN=run_1\0', 'run_1')).toBe(false);
    expect(carriesMarker('', 'run_1')).toBe(false);
  });
});

describe.skipIf(canReadProcesses)('where environments cannot be read', () => {
  it('says so', async () => {
    expect(findMarked(run)).toEqual({ supported: false });
    expect(await reap(run)).toEqual({ supported: false });
  });
});

describe.skipIf(!canReadProcesses)('reaping', () => {
  it('finds the processes of a run and of a delegation', () => {
    const one = start('exec sleep 60', 'sess_1');
    const two = start('exec sleep 60', 'sess_2');
    start('exec sleep 60', 'sess_1', `${run}_other`);
    expect(found()).toEqual([one, two].toSorted((a, b) => a - b));
    expect(found('sess_2')).toEqual([two]);
  });

  it('never finds itself, though it carries the marker', async () => {
    const script = `import { findMarked } from ${JSON.stringify(new URL('reap.ts', import.meta.url).href)};
      console.log(JSON.stringify(findMarked(process.env.DIVISI_RUN)))`;
    const env = { ...process.env, ...markerEnvironment({ run, delegation: 'sess_1' }) };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
    expect(JSON.parse(stdout)).toEqual({ supported: true, processes: [] });
  });

  it('ends orphans that have a session of their own, and what they start meanwhile', async () => {
    // Each one starts another as it goes, in a new session, whose parent is gone at once.
    start(
      `trap '' TERM HUP INT; for i in 1 2 3 4 5 6 7 8 9 10; do (setsid sh -c 'sleep 0.02; setsid sleep 60 & sleep 60' &); done; wait; sleep 60`,
      'sess_1',
    );
    await vi.waitFor(() => expect(found().length).toBeGreaterThan(10), { timeout: 30_000, interval: 5 });
    const answer = await reap(run);
    expect(answer).toMatchObject({ supported: true, left: [] });
    expect(answer.supported && answer.killed.length).toBeGreaterThan(10);
    expect(found()).toEqual([]);
  });

  it('leaves other runs alone', async () => {
    const gone = start('exec sleep 60', 'sess_1');
    const other = start('exec sleep 60', 'sess_1', `${run}_other`);
    expect(await reap(run)).toEqual({ supported: true, killed: [gone], left: [] });
    expect([gone, other].map((pid) => processStat(pid)?.zombie === false)).toEqual([false, true]);
  });

  it('has nothing to do where nothing is', async () => {
    expect(await reap('run_that_never_was')).toEqual({ supported: true, killed: [], left: [] });
  });

  it('does not end a process that only has the number of the one it looked for', async () => {
    const pid = start('exec sleep 60', 'sess_1');
    const stat = processStat(pid);
    const started = stat?.started ?? '';
    expect(killProcess({ pid, started: String(Number(started) - 1) })).toBe(false);
    expect(isRunning({ pid, started })).toBe(true);
    const ended = once(children[0] as ChildProcess, 'exit');
    expect(killProcess({ pid, started })).toBe(true);
    await ended;
    expect(killProcess({ pid, started })).toBe(false);
  });
});
