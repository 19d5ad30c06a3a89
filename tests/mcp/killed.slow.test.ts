/** The client, the server and the process of a run are killed; the run is not lost, and the next call reports it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { gitProject } from '../support/committed-project.ts';
import { connect } from '../support/mcp-client.ts';
import { ledgerOf, startsOf } from '../support/project.ts';
import { processesIn, until } from '../support/running.ts';
import { readLedger } from '../../src/project/project-ledger.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';

// Several processes each, on machines that have other things to do.
vi.setConfig({ testTimeout: 60_000 });

const folder = temporaryFolders();
const project = (): string => gitProject(folder, { waves: [['1.1'], ['2.1']], behave: { '1.1': 'hold' } });
const untilRunning = async (cwd: string): Promise<void> =>
  until(
    () => startsOf(cwd),
    (starts) => starts.length > 0,
  );
const goOn = (cwd: string): void => writeFileSync(join(cwd, 'go-on'), '');

/** Who holds the newest run. */
function holderOf(cwd: string): number {
  const ledger = readLedger(cwd);
  try {
    const [row] = ledger.runs();
    return row === undefined ? 0 : (ledger.holder(row.run)?.holder.pid ?? 0);
  } finally {
    ledger.close();
  }
}

describe('the run continues', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('when its server gets %s; a new one waits for it', async (signal) => {
    const cwd = project();
    const first = await connect({ cwd });
    const lost = first.call('run', { plan: 'plan.md' }).catch(() => 'lost');
    await untilRunning(cwd);
    const holder = holderOf(cwd);
    // A session of its own: what ends those of the client does not reach it.
    expect(
      readFileSync(`/proc/${holder}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')[3],
    ).toBe(String(holder));
    process.kill(first.pid, signal);
    expect(await lost).toBe('lost');
    const second = await connect({ cwd });
    const waiting = second.call('run', { plan: 'plan.md' });
    expect(holderOf(cwd)).toBe(holder);
    goOn(cwd);
    expect(await waiting).toContain('status="completed" completed="2/2"');
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1']);
  });

  it('when its client hangs up: the server ends without a signal, and nothing is paused', async () => {
    const cwd = project();
    const { call, close } = await connect({ cwd, behindShell: true });
    const servers = new Set(processesIn(cwd, 'mcp'));
    const lost = call('run', { plan: 'plan.md' }).catch(() => 'lost');
    await untilRunning(cwd);
    await close();
    expect(await lost).toBe('lost');
    await until(
      () => processesIn(cwd, 'mcp'),
      (pids) => !pids.some((pid) => servers.has(pid)),
    );
    goOn(cwd);
    await until(
      () => ledgerOf(cwd).report.status,
      (status) => status === 'completed',
    );
    expect(ledgerOf(cwd).events.filter(({ kind }) => kind === 'run.paused')).toEqual([]);
  });
});

it('a killed process of a run is noticed, with how to resume', async () => {
  const cwd = project();
  const { call } = await connect({ cwd });
  const waiting = call('run', { plan: 'plan.md' });
  await untilRunning(cwd);
  process.kill(holderOf(cwd), 'SIGKILL');
  const text = await waiting;
  const { run } = ledgerOf(cwd).report;
  expect(text).toContain('status="interrupted" completed="0/2"');
  expect(text).toContain(`next: its process is gone; run {"resume":"${run}"} resumes it.`);
  expect(await call('status')).toBe(text);
  goOn(cwd);
  expect(await call('run', { resume: run })).toContain('status="completed" completed="2/2"');
});

it('three servers wait for one run, begun at the same moment', async () => {
  const cwd = project();
  const all = await Promise.all([connect({ cwd }), connect({ cwd }), connect({ cwd })]);
  const waiting = all.map(async ({ call }) => call('run', { plan: 'plan.md' }));
  await untilRunning(cwd);
  goOn(cwd);
  const [text, ...others] = await Promise.all(waiting);
  expect(text).toContain('status="completed" completed="2/2"');
  expect(new Set(others)).toEqual(new Set([text]));
  expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1']);
});

describe('giving up', () => {
  it('pauses the run gently; the same call resumes it', async () => {
    const cwd = project();
    const { call } = await connect({ cwd });
    const stop = new AbortController();
    const waiting = call('run', { plan: 'plan.md' }, { signal: stop.signal }).catch(() => 'given up');
    await untilRunning(cwd);
    stop.abort('AbortError: user-cancel');
    expect(await waiting).toBe('given up');
    await until(
      () => [ledgerOf(cwd).report.status, holderOf(cwd)],
      ([status, holder]) => status === 'paused' && holder === 0,
    );
    goOn(cwd);
    expect(await call('run', { plan: 'plan.md' })).toContain('status="completed" completed="2/2"');
    expect(existsSync(join(cwd, '.divisi/runs', ledgerOf(cwd).report.run, 'divisi.log'))).toBe(true);
  });

  it('by a client that timed out pauses nothing', async () => {
    const cwd = project();
    const { client, call } = await connect({ cwd });
    const lost = client
      .callTool({ name: 'run', arguments: { plan: 'plan.md' } }, { timeout: 1500 })
      .catch(() => 'late');
    await untilRunning(cwd);
    expect(await lost).toBe('late');
    const waiting = call('run', { plan: 'plan.md' });
    goOn(cwd);
    expect(await waiting).toContain('status="completed" completed="2/2"');
    expect(ledgerOf(cwd).events.filter(({ kind }) => kind === 'run.paused')).toEqual([]);
  });
});
