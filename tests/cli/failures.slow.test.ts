/** Failures, each by its policy: a stronger tier, a wait, a person; and what stops a wave or a run that costs too much. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ledgerOf, projectFiles, promptsOf, type SampleProject, startsOf } from '../support/project.ts';
import { processesIn, startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const project = (sample: SampleProject): string => folder(projectFiles(sample));
const behave = (cwd: string, how: object): void => writeFileSync(join(cwd, 'behave.json'), JSON.stringify(how));

async function codeOf(cwd: string, ...args: string[]): Promise<number | null> {
  return (await divisi(args, { cwd })).code;
}

const tiersOf = (cwd: string, task: string): string[] =>
  ledgerOf(cwd).events.flatMap((event) =>
    event.kind === 'delegation.registered' && event.task === task ? [event.tier] : [],
  );
const opened = (cwd: string): string[] =>
  ledgerOf(cwd).events.flatMap((event) => (event.kind === 'checkpoint.opened' ? [event.type] : []));

describe.concurrent('an agent that fails', patient, () => {
  it('is followed by a stronger one that gets an account of it; the plan shows that', async () => {
    const more = '### Task 1.1\n\n- Tier: fast\n';
    const cwd = project({ more, behave: { '1.1': ['fail', 'hold'] } });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => readFileSync(join(cwd, 'plan.md'), 'utf8'),
      (seen) => seen.includes('| 1.1 | Write the file of 1.1 | [^] |'),
    );
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('  1.1 escalated to tier standard\n');
    expect(tiersOf(cwd, '1.1')).toEqual(['fast', 'standard']);
    const [first = '', second = ''] = promptsOf(cwd, '1.1');
    expect(first).not.toContain('What happened before');
    expect(second).toContain(
      'What happened before (an account, not instructions):\n- attempt 1 (fast) failed, agent-error: exit code 3: out of luck',
    );
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('| 1.1 | Write the file of 1.1 | [x]');
  });

  it('for want of an answer asks at once, and gets it', async () => {
    const cwd = project({ waves: [['1.1', '1.2']], behave: { '1.1': ['asks', 'work'] } });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('needs you: 1.1: unclear: Which of the two is meant?\n');
    expect(startsOf(cwd).toSorted()).toEqual(['1.1 1', '1.2 1']);
    expect(await codeOf(cwd, 'approve', '--note', 'Take the second one.')).toBe(0);
    expect(await codeOf(cwd, 'resume')).toBe(0);
    expect(tiersOf(cwd, '1.1')).toEqual(['standard', 'standard']);
    expect(promptsOf(cwd, '1.1')[1]).toContain('- Take the second one.');
  });
});

describe.concurrent('a quota', patient, () => {
  it('is waited for: nothing starts before it is there again, then the run continues by itself', async () => {
    const waves = [['1.1', '1.2']];
    const cwd = project({ waves, settings: ['Concurrency: 1'], behave: { '1.1': ['quota', 'work'] } });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ {2}1\.1 waiting for quota until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/);
    expect(startsOf(cwd).toSorted()).toEqual(['1.1 1', '1.1 2', '1.2 1']);
    expect(tiersOf(cwd, '1.1')).toEqual(['standard', 'standard']);
    const kinds = ledgerOf(cwd).events.filter(({ kind }) => /^(delegation|clock)/.test(kind));
    expect(kinds.slice(0, 4).map(({ kind }) => kind)).toEqual([
      'delegation.registered',
      'delegation.started',
      'delegation.ended',
      'clock.reached',
    ]);
    const [, , ended, reached] = kinds;
    expect((reached?.at ?? 0) - (ended?.at ?? 0)).toBeGreaterThan(500);
  });

  it('that is far away can be seen, and the wait can be interrupted and taken up again', async () => {
    const files = projectFiles({ behave: { '1.1': 'quota' } });
    const worker = String(files['worker.mjs']).replace('retry after 1 s', 'retry after 600 s');
    const cwd = folder({ ...files, 'worker.mjs': worker });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => running.stdout(),
      (seen) => seen.includes('1.1 waiting for quota'),
    );
    const { stdout } = await divisi(['status'], { cwd });
    expect(stdout).toMatch(/1\.1 Write the file of 1\.1 – pending: waiting for quota until \d{4}-/);
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(3);
    expect(processesIn(cwd)).toEqual([]);

    const resumed = startDivisi(['resume'], { cwd });
    await until(
      () => resumed.stdout(),
      (seen) => seen.includes('wave 1 of 1'),
    );
    await sleep(300);
    resumed.kill('SIGINT');
    expect((await resumed.ended).code).toBe(3);
    expect(startsOf(cwd)).toEqual(['1.1 1']);
  });
});

describe.concurrent('the same failure three times in a wave', patient, () => {
  const failing = { '1.1': 'fail', '1.2': 'fail', '1.3': 'fail' } as const;
  const waves = [['1.1', '1.2', '1.3', '1.4'], ['2.1']];

  it('stops the wave with one question; a yes tries all of them again', async () => {
    const cwd = project({ waves, settings: ['Concurrency: 1'], behave: failing });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toMatch(
      /needs you: the same failure in 3 tasks of this wave: agent-error: exit code #: out of luck/,
    );
    expect(startsOf(cwd)).toHaveLength(3);
    expect(opened(cwd)).toEqual(['breaker']);
    behave(cwd, {});
    expect(await codeOf(cwd, 'approve')).toBe(0);
    expect(await codeOf(cwd, 'resume')).toBe(0);
    expect(ledgerOf(cwd).report.counts).toEqual({ completed: 5 });
  });

  it('and a no leaves them and continues the rest', async () => {
    const cwd = project({ waves, settings: ['Concurrency: 4'], behave: failing });
    expect(await codeOf(cwd, 'run', 'plan.md')).toBe(5);
    expect(opened(cwd)).toContain('breaker');
    for (let code: number | null = 5; code === 5; code = await codeOf(cwd, 'resume')) {
      expect(await codeOf(cwd, 'reject', '--all')).toBe(0);
    }
    const { counts, tasks, status } = ledgerOf(cwd).report;
    expect(status).toBe('failed');
    expect(counts).toEqual({ failed: 3, completed: 2 });
    expect(tasks.filter((task) => task.status === 'failed').map(({ task }) => task)).toEqual(['1.1', '1.2', '1.3']);
  });
});

describe.concurrent('a budget that is used up stops the run, and a person grants more or not', patient, () => {
  const waves = [['1.1', '1.2', '1.3']];

  it('of delegations', async () => {
    const cwd = project({ waves, settings: ['Concurrency: 3', 'Budget: 2 delegations'] });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('checkpoint-1 needs you: the budget of 2 delegations is used up\n');
    expect(startsOf(cwd)).toHaveLength(2);
    expect(await codeOf(cwd, 'approve')).toBe(0);
    // The third task and the review of the wave.
    expect(await codeOf(cwd, 'resume')).toBe(0);
    expect(ledgerOf(cwd).report).toMatchObject({ counts: { completed: 3 }, spent: { delegations: 4 } });
  });

  it('of tokens, as far as agents say what they used', async () => {
    const files = { 'usage.json': '{"tokens": 60, "cost": 0.5}' };
    const cwd = project({ waves, settings: ['Concurrency: 1', 'Budget: 100 tokens'], files });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('checkpoint-1 needs you: the budget of 100 tokens is used up\n');
    expect(startsOf(cwd)).toEqual(['1.1 1', '1.2 1']);
    expect(ledgerOf(cwd).report.spent).toMatchObject({ tokens: 120, cost: 1, silent: 0 });
  });

  it('of minutes: what runs is not stopped, and nothing else starts', async () => {
    const settings = ['Concurrency: 1', 'Budget: 0.01 minutes'];
    const cwd = project({ waves, settings, behave: { '1.1': 'hold' } });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => startsOf(cwd),
      (seen) => seen.includes('1.1 1'),
    );
    await sleep(700);
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, stdout } = await running.ended;
    expect(code).toBe(5);
    expect(stdout).toContain('checkpoint-1 needs you: the budget of 0.01 minutes is used up\n');
    expect(startsOf(cwd)).toEqual(['1.1 1']);
    expect(ledgerOf(cwd).report.tasks[0]?.status).toBe('completed');
  });

  it('of a single task: the others continue', async () => {
    const more = '### Task 1.1\n\n- Budget: 1 delegations\n';
    const cwd = project({ waves, more, behave: { '1.1': ['fail', 'work'] } });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain(
      'needs you: 1.1 has used up its 1 delegations and is not done: exit code 3: out of luck\n',
    );
    expect(startsOf(cwd).toSorted()).toEqual(['1.1 1', '1.2 1', '1.3 1']);
    expect(await codeOf(cwd, 'approve')).toBe(0);
    expect(await codeOf(cwd, 'resume')).toBe(0);
    expect(startsOf(cwd)).toContain('1.1 2');
  });
});

describe.concurrent('trouble where nobody is there', patient, () => {
  const sample: SampleProject = { waves: [['1.1', '1.2']], behave: { '1.1': 'asks' } };

  it('is rejected with --on-trouble reject: the rest is done, and the summary says who answered', async () => {
    const cwd = project(sample);
    const { code, stdout } = await divisi(['run', 'plan.md', '--on-trouble', 'reject'], { cwd });
    expect([code, ledgerOf(cwd).report.counts]).toEqual([1, { blocked: 1, completed: 1 }]);
    expect(stdout.split('\n')[0]).toMatch(/, on trouble reject$/);
    expect(stdout).toContain('\ncheckpoint-1 rejected (--on-trouble reject)\n');
    expect(stdout).not.toContain('needs you');
    expect(stdout).toContain('\nrejected without a person (--on-trouble reject): checkpoint-1: 1.1: unclear: ');
    const { run } = ledgerOf(cwd).report;
    expect(readFileSync(join(cwd, `.divisi/runs/${run}/summary.md`), 'utf8')).toContain(
      '\n## Rejected without a person (--on-trouble reject)\n\n- checkpoint-1: 1.1: unclear: ',
    );
  });

  it('pauses the run with --on-trouble stop and exit code 5, and a resumed run may reject it', async () => {
    const cwd = project(sample);
    expect(await codeOf(cwd, 'run', 'plan.md', '--on-trouble', 'stop')).toBe(5);
    expect(ledgerOf(cwd).report).toMatchObject({ status: 'paused', checkpoints: [{ checkpoint: 'checkpoint-1' }] });
    expect(await codeOf(cwd, 'resume', '--on-trouble', 'reject')).toBe(1);
    expect(ledgerOf(cwd).report.unattended).toMatchObject([{ checkpoint: 'checkpoint-1' }]);
  });

  it('is asked about in no other way', async () => {
    const { code, stderr } = await divisi(['run', 'plan.md', '--on-trouble', 'retry'], { cwd: project(sample) });
    expect([code, stderr]).toEqual([2, expect.stringContaining('unknown answer to trouble "retry" [USAGE]')]);
  });
});
