/** Checkpoints are answered from any terminal, whether someone works on the run or not; a wrong answer changes nothing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failure } from '../support/answers.ts';
import { ledgerOf, projectFiles, promptsOf, type SampleProject, startsOf } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const planned = { waves: [['1.1'], ['2.1']], more: '## Checkpoints\n\n- [ ] After wave 1: look at the totals\n' };

/** A run that waits for a person. */
async function paused(sample: SampleProject): Promise<string> {
  const cwd = folder(projectFiles(sample));
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
  return cwd;
}

async function refusal(cwd: string, ...args: string[]): Promise<{ readonly code: string; readonly message: string }> {
  const { code, stdout, stderr } = await divisi([...args, '--json'], { cwd });
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  const { error } = failure.parse(JSON.parse(stdout));
  return { code: error.code, message: error.message };
}

describe.concurrent('an answer', patient, () => {
  it('reaches the process that works on the run, and its note the agent', async () => {
    const behave = { '1.1': ['asks', 'work'], '1.2': 'hold' } as const;
    const cwd = folder(projectFiles({ waves: [['1.1', '1.2']], behave }));
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => running.stdout(),
      (seen) => seen.includes('checkpoint-1 needs you'),
    );
    const answered = await divisi(['approve', '--note', 'The first one.'], { cwd });
    expect(answered.code).toBe(0);
    expect(answered.stdout).toMatch(
      /^checkpoint-1 approved: 1\.1: unclear: .+\nrun_\w+: its process was notified\.\n$/,
    );
    await until(
      () => startsOf(cwd),
      (seen) => seen.includes('1.1 2'),
    );
    expect(promptsOf(cwd, '1.1')[1]).toContain('- The first one.');
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('checkpoint-1 approved: The first one.\n');
  });

  it('of no at a checkpoint of the plan ends the run; a resume asks again', async () => {
    const cwd = await paused(planned);
    const { code, stdout } = await divisi(['reject'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^checkpoint-1 rejected: .+\nrun_\w+: cancelled by the rejection; `divisi resume run_\w+` resumes it\.\n$/,
    );
    const { status, run } = ledgerOf(cwd).report;
    expect(status).toBe('cancelled');
    expect((await divisi(['resume', run], { cwd })).code).toBe(5);
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1']);
  });

  it('without an open checkpoint is a clear error, and changes nothing', async () => {
    const cwd = await paused(planned);
    const { run } = ledgerOf(cwd).report;
    const answered = JSON.parse((await divisi(['approve', '--json'], { cwd })).stdout) as unknown;
    const checkpoints = [{ checkpoint: 'checkpoint-1', why: expect.stringContaining('look') as string }];
    expect(answered).toEqual({ run, approved: true, delivered: false, status: 'paused', checkpoints });
    const before = ledgerOf(cwd).events;
    expect(await refusal(cwd, 'approve')).toEqual({
      code: 'CHECKPOINT_UNKNOWN',
      message: `${run} has no open checkpoint; it is paused`,
    });
    expect(await refusal(cwd, 'reject', '--checkpoint', 'checkpoint-1')).toEqual({
      code: 'CHECKPOINT_UNKNOWN',
      message: 'checkpoint-1 is already approved',
    });
    expect(await refusal(cwd, 'reject', '--checkpoint', 'checkpoint-9')).toEqual({
      code: 'CHECKPOINT_UNKNOWN',
      message: `${run} has no checkpoint-9`,
    });
    expect((await refusal(cwd, 'approve', 'run_nothing')).code).toBe('RUN_UNKNOWN');
    expect((await refusal(folder(), 'approve')).code).toBe('RUN_UNKNOWN');
    expect(ledgerOf(cwd).events).toEqual(before);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect((await refusal(cwd, 'reject')).message).toBe(`${run} has no open checkpoint; it is completed`);
  });
});

it('a note that is too long is refused, and nothing is answered', patient, async () => {
  const cwd = await paused(planned);
  const before = ledgerOf(cwd).events;
  expect(await refusal(cwd, 'approve', '--note', 'x'.repeat(2001))).toEqual({
    code: 'USAGE',
    message: '--note has 2001 characters; nothing was answered',
  });
  expect(ledgerOf(cwd).events).toEqual(before);
  expect((await divisi(['approve', '--note', 'x'.repeat(2000)], { cwd })).code).toBe(0);
});

describe.concurrent('several open checkpoints', patient, () => {
  const two = { waves: [['1.1', '1.2']], behave: { '1.1': ['asks', 'work'], '1.2': ['asks', 'work'] } } as const;

  it('are named when none was, and answered one by one', async () => {
    const cwd = await paused(two);
    const { code, message } = await refusal(cwd, 'approve');
    expect(code).toBe('CHECKPOINT_UNKNOWN');
    expect(message).toMatch(/^run_\w+ has 2 open checkpoints:\ncheckpoint-1: 1\.\d: unclear.*\ncheckpoint-2: 1\.\d: /);
    const { stdout } = await divisi(['status'], { cwd });
    for (const id of ['checkpoint-1', 'checkpoint-2']) {
      expect(stdout).toMatch(new RegExp(`\\n  divisi approve run_\\w+ --checkpoint ${id} +retry`));
    }
    expect((await refusal(cwd, 'reject', '--checkpoint', '3')).message).toMatch(/^run_\w+ has no checkpoint-3$/);
    const [, second] = ledgerOf(cwd).report.checkpoints;
    const rejected = await divisi(['reject', '--checkpoint', '2'], { cwd });
    expect(rejected.stdout).toMatch(/^checkpoint-2 rejected: .+\nrun_\w+: `divisi resume run_\w+` resumes it\.\n$/);
    expect(rejected.stdout).toContain(`checkpoint-2 rejected: ${second?.why}\n`);
    expect(ledgerOf(cwd).report.checkpoints.map(({ checkpoint }) => checkpoint)).toEqual(['checkpoint-1']);
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(1);
    expect(ledgerOf(cwd).report.counts).toEqual({ completed: 1, blocked: 1 });
  });

  it('are answered together with --all', async () => {
    const cwd = await paused(two);
    expect((await divisi(['approve', '--all', '--note', 'Both.'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect(startsOf(cwd).toSorted()).toEqual(['1.1 1', '1.1 2', '1.2 1', '1.2 2']);
    for (const task of ['1.1', '1.2']) expect(promptsOf(cwd, task)[1]).toContain('- Both.');
  });
});

describe.concurrent('modes', patient, () => {
  it('auto passes the checkpoints of the plan, and stops for trouble', async () => {
    const cwd = folder(projectFiles({ ...planned, behave: { '2.1': 'asks' } }));
    const { code, stdout } = await divisi(['run', 'plan.md', '--mode', 'auto'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('\ncheckpoint-1 approved (auto mode)\n');
    expect(stdout).toContain('\ncheckpoint-2 needs you: 2.1: unclear: ');
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('- [x] After wave 1: look at the totals');
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1']);
  });

  it('plan starts nothing and keeps nothing', async () => {
    const cwd = folder(projectFiles(planned));
    const plan = readFileSync(join(cwd, 'plan.md'), 'utf8');
    const { code, stdout, stderr } = await divisi(['run', 'plan.md', '--mode', 'plan'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Sample\nplan plan\.md\ngoal To see it run\.\n/);
    expect(stdout).toContain('\n  [ ] 1.1 Write the file of 1.1 (standard, worker)\n  review (deep)\n  checkpoint ');
    expect(startsOf(cwd)).toEqual([]);
    expect(existsSync(ledgerFile(cwd))).toBe(false);
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toBe(plan);
  });

  it('plan keeps nothing of a plan from standard input either', async () => {
    const cwd = folder(projectFiles(planned));
    const input = readFileSync(join(cwd, 'plan.md'), 'utf8');
    const files = (): Set<string> => new Set(readdirSync(cwd, { recursive: true, encoding: 'utf8' }));
    const before = files();
    const { code, stdout, stderr } = await divisi(['run', '-', '--mode', 'plan'], { cwd, input });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Sample\nplan \.divisi\/plans\/[\w-]+-inprogress\.md\ngoal To see it run\.\n/);
    expect(files()).toEqual(before);
  });

  it('of no such name are refused', async () => {
    const cwd = folder(projectFiles());
    expect((await refusal(cwd, 'run', 'plan.md', '--mode', 'yolo')).code).toBe('USAGE');
    expect(existsSync(ledgerFile(cwd))).toBe(false);
  });
});
