/** Stopping a run: by a signal, by a command from elsewhere, with and without a process that works on it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOf, projectFiles, said, type SampleProject } from '../support/project.ts';
import { processesIn, type Running, startDivisi, until } from '../support/running.ts';
import { type Files, temporaryFolders } from '../support/temporary-folder.ts';
import { divisi, unconfined } from '../support/divisi.ts';

const folder = temporaryFolders();
/** They wait more than they work, all at once. */
const patient = { timeout: 120_000 };

interface Begun {
  readonly cwd: string;
  readonly running: Running;
  readonly run: string;
}

/** A run whose first task is running. */
async function begin(sample: SampleProject, word = 'start 1.1 1', variables = {}): Promise<Begun> {
  const cwd = folder(projectFiles(sample));
  const running = startDivisi(['run', 'plan.md'], { cwd, variables });
  await until(
    () => said(cwd),
    (seen) => seen.includes(word),
  );
  const [run = ''] = /run_\w+/.exec(running.stdout()) ?? [];
  return { cwd, running, run };
}

const statusOf = (cwd: string): string => ledgerOf(cwd).report.status;

async function finish(cwd: string): Promise<void> {
  writeFileSync(join(cwd, 'behave.json'), '{}');
  const { code, stdout, stderr } = await divisi(['resume'], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(': completed.');
  expect(statusOf(cwd)).toBe('completed');
}

const grace = (seconds: number): Files => ({ '.divisi/config.yaml': `grace: ${seconds}\n` });
const two = { waves: [['1.1', '1.2 after 1.1']] };

describe.concurrent('a signal', patient, () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('%s pauses: what runs gets its moment, then is ended', async (signal) => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'hang' } });
    const began = performance.now();
    running.kill(signal);
    const { code, stdout, stderr } = await running.ended;
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(code).toBe(3);
    expect(stderr).toBe('stopping: no new tasks; running ones get a moment. Press Ctrl-C again to stop at once.\n');
    expect(stdout).toContain('  1.1 stopped; restarts when the run is resumed\npaused: stopped\n');
    expect(processesIn(cwd)).toEqual([]);
    expect(statusOf(cwd)).toBe('paused');
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('| 1.1 | Write the file of 1.1 | [ ] |');
    expect(readFileSync(join(cwd, '.divisi/runs', run, 'summary.md'), 'utf8')).toContain(
      `\n${run}: paused (stopped). 0 of 2 tasks`,
    );
    await finish(cwd);
    expect(said(cwd).filter((line) => line.startsWith('start'))).toEqual(['start 1.1 1', 'start 1.1 2', 'start 1.2 1']);
  });

  it('that kills leaves a summary, and every view says that the run was interrupted', async () => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'hang' } });
    running.kill('SIGKILL');
    await running.ended;
    expect(readFileSync(join(cwd, '.divisi/runs', run, 'summary.md'), 'utf8')).toContain(
      `\n${run}: running. 0 of 2 tasks completed`,
    );
    for (const view of ['status', 'report']) {
      expect((await divisi([view], { cwd })).stdout).toMatch(/interrupted[^]*divisi resume run_/);
      expect(JSON.parse((await divisi([view, '--json'], { cwd })).stdout)).toMatchObject({ status: 'interrupted' });
    }
    await finish(cwd);
  });

  it('lets what ends within its moment end, and starts nothing new', async () => {
    const { cwd, running } = await begin({ ...two, behave: { '1.1': 'hold' }, files: grace(30) });
    running.kill('SIGINT');
    await until(
      () => running.stderr(),
      (seen) => seen.includes('stopping'),
    );
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, stdout } = await running.ended;
    expect(code).toBe(3);
    expect(stdout).toContain('  1.1 completed in ');
    expect(said(cwd)).toEqual(['start 1.1 1', 'end 1.1']);
    await finish(cwd);
  });

  it('twice ends everything at once, however stubborn', async () => {
    const { cwd, running } = await begin({ ...two, behave: { '1.1': 'stubborn' }, files: grace(60) });
    running.kill('SIGINT');
    await until(
      () => running.stderr(),
      (seen) => seen.includes('stopping'),
    );
    const began = performance.now();
    running.kill('SIGINT');
    const { code } = await running.ended;
    // Asked politely, it would have had a minute and then five seconds more.
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(code).toBe(3);
    expect(processesIn(cwd)).toEqual([]);
    await finish(cwd);
  });

  it('once ends the stubborn as well, after a while', async () => {
    const { cwd, running } = await begin({ behave: { '1.1': 'stubborn' }, files: grace(0) });
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(3);
    expect(said(cwd)).toContain('no 1.1');
    expect(processesIn(cwd)).toEqual([]);
  });

  it('a reader that goes away leaves nobody behind', async () => {
    const { cwd, running } = await begin(
      { waves: [['1.1', '1.2']], behave: { '1.1': 'hang', '1.2': 'hold' } },
      'start 1.2 1',
    );
    running.hangUp();
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(3);
    expect(processesIn(cwd)).toEqual([]);
    expect(statusOf(cwd)).toBe('paused');
    expect(ledgerOf(cwd).report.counts).toEqual({ completed: 1, pending: 1 });
  });

  it('SIGKILL leaves a run that says so, and that resume continues', async () => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'hang' } });
    running.kill('SIGKILL');
    await running.ended;
    const { stdout } = await divisi(['status'], { cwd });
    expect(stdout).toMatch(new RegExp(`^${run} .*: interrupted\n`));
    expect(stdout).toContain(`its process is gone: \`divisi resume ${run}\` resumes it\n`);
    expect((await divisi(['list'], { cwd })).stdout).toContain(`${run}  interrupted`);
    const json = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await divisi([...args, '--json'], { cwd })).stdout);
    expect(await json('status')).toMatchObject({ status: 'interrupted' });
    expect(await json('list')).toMatchObject({ runs: [{ status: 'interrupted' }] });
    await finish(cwd);
    expect(await json('status')).toMatchObject({ status: 'completed' });
  });

  it('SIGKILL leaves unconfined agents that status and list name, and that clean ends', async () => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'hang' } }, undefined, unconfined);
    running.kill('SIGKILL');
    await running.ended;
    const { orphans } = JSON.parse((await divisi(['status', '--json'], { cwd })).stdout) as {
      orphans: { pid: number; task: string }[];
    };
    expect(orphans.map(({ task }) => task)).toContain('1.1');
    expect(orphans.map(({ pid }) => pid)).toEqual(expect.arrayContaining(processesIn(cwd)));
    const said = `still running, left by its dead process: process ${orphans[0]?.pid} (1.1)`;
    for (const look of ['status', 'list']) expect((await divisi([look], { cwd })).stdout).toContain(said);
    const tried = await divisi(['clean', '--dry-run'], { cwd });
    expect(tried.stdout).toContain(
      `would end what a dead process of ${run} left running: process ${orphans[0]?.pid} (1.1)`,
    );
    expect(processesIn(cwd)).not.toEqual([]);
    const { ended } = JSON.parse((await divisi(['clean', '--json'], { cwd })).stdout) as { ended: unknown };
    expect(ended).toEqual([{ run, processes: orphans }]);
    expect(processesIn(cwd)).toEqual([]);
    expect((await divisi(['status'], { cwd })).stdout).not.toContain('still running');
    await finish(cwd);
    expect(processesIn(cwd)).toEqual([]);
  });
});

describe.concurrent('pause and cancel, while a process works on the run', patient, () => {
  it('pause: that process ends with 3, and the run can be resumed', async () => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'hang' } });
    const told = await divisi(['pause', '--json'], { cwd });
    expect(told.code).toBe(0);
    expect(JSON.parse(told.stdout)).toEqual({ run, asked: 'pause', delivered: true });
    expect((await running.ended).code).toBe(3);
    expect(processesIn(cwd)).toEqual([]);
    await finish(cwd);
  });

  it('cancel: that process ends with 4 at once, and its children with it', async () => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'stubborn' } });
    const told = await divisi(['cancel', run], { cwd });
    expect(told.code).toBe(0);
    expect(told.stdout).toContain(`${run}: its process was asked to stop`);
    const { code, stdout } = await running.ended;
    expect(code).toBe(4);
    expect(stdout).toContain(`\n${run}: cancelled. `);
    expect(processesIn(cwd)).toEqual([]);
    expect(statusOf(cwd)).toBe('cancelled');
  });
});

describe.concurrent('pause and cancel, when no process works on the run', patient, () => {
  it.each([
    ['pause', 'paused'],
    ['cancel', 'cancelled'],
  ])('%s: it is %s here, and what was left running is ended', async (how, status) => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'hang' } });
    await until(
      () => readFileSync(join(cwd, 'plan.md'), 'utf8'),
      (seen) => seen.includes('[~]'),
    );
    running.kill('SIGKILL');
    await running.ended;
    const { code, stdout, stderr } = await divisi([how], { cwd });
    const plan = readFileSync(join(cwd, 'plan.md'), 'utf8');
    expect(plan).toContain('| 1.1 | Write the file of 1.1 | [ ] |');
    expect(plan.trimEnd().split('\n').at(-1)).toMatch(/Z (paused: stopped|run cancelled)$/);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${run}: ${status}. No process was running it.\n`,
      stderr: '',
    });
    expect(processesIn(cwd)).toEqual([]);
    expect(statusOf(cwd)).toBe(status);
    const { events } = ledgerOf(cwd);
    expect(events.filter(({ kind }) => kind === 'delegation.ended')).toMatchObject([{ task: '1.1', end: 'lost' }]);
  });
});

describe.concurrent('one run, one plan, one process', patient, () => {
  it('a run that has completed is neither resumed nor stopped', async () => {
    const cwd = folder(projectFiles());
    await divisi(['run', 'plan.md'], { cwd });
    const before = ledgerOf(cwd).events;
    for (const how of ['resume', 'pause', 'cancel']) {
      const { code, stdout, stderr } = await divisi([how], { cwd });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/has (completed; there is nothing to resume|already ended: completed) \[RUN_ENDED\]/);
    }
    expect(ledgerOf(cwd).events).toEqual(before);
  });

  it('a plan with a run that is not finished does not get another', async () => {
    const cwd = folder(projectFiles({ waves: [['1.1'], ['2.1']], more: '## Checkpoints\n\n- After wave 1: look\n' }));
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    const { code, stderr } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/plan\.md has an unfinished run: run_\w+ \(paused\) \[RUN_UNFINISHED\]/);
    expect(said(cwd)).toEqual(['start 1.1 1', 'end 1.1']);
  });

  it('resume while another process works on it names that process, and disturbs nothing', async () => {
    const { cwd, running, run } = await begin({ ...two, behave: { '1.1': 'hold' } });
    await until(
      () => readFileSync(join(cwd, 'plan.md'), 'utf8'),
      (seen) => seen.includes('[~]'),
    );
    const before = ledgerOf(cwd).events;
    const { code, stdout, stderr } = await divisi(['resume', run], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('[LEASE_HELD]');
    expect(stderr).toMatch(new RegExp(`\\b${running.pid}\\b.*since \\d{4}-\\d\\d-\\d\\dT`));
    expect(processesIn(cwd)).toHaveLength(1);
    expect(ledgerOf(cwd).events).toEqual(before);
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    expect(said(cwd)).toEqual(['start 1.1 1', 'end 1.1', 'start 1.2 1', 'end 1.2']);
  });
});
