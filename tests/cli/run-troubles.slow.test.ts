/** Runs whose workers fail, return the wrong thing, or never end. */
import { failureOf } from '../../src/core/event/make-outcome.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/views/run/run-report.ts';
import { ledgerOf, planText, projectFiles, said, startsOf } from '../support/project.ts';
import { processesIn } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
/** Side by side, each takes longer. */
const patient = { timeout: 120_000 };

const statusOf = (cwd: string): RunReport => ledgerOf(cwd).report;
const statuses = ({ tasks }: RunReport): Record<string, string> =>
  Object.fromEntries(tasks.map(({ task, status }) => [task, status]));

describe.concurrent('a task that fails', patient, () => {
  it('and is left so: what depends on it is skipped, everything else runs; the run fails, and resume does the rest', async () => {
    const waves = [
      ['1.1', '1.2 after 1.1', '1.3'],
      ['2.1 after 1.2', '2.2'],
    ];
    const cwd = folder(projectFiles({ file: 'work-inprogress.md', waves, behave: { '1.1': 'fail' } }));
    const { code, stdout, stderr } = await divisi(['run', 'work-inprogress.md'], { cwd });
    expect({ code, stderr }).toEqual({ code: 5, stderr: '' });
    expect(stdout).toContain('  1.1 escalated to tier deep\n');
    expect(stdout).toContain('\ncheckpoint-1 needs you: 1.1: agent-error: exit code 3: out of luck\n');
    expect(statuses(statusOf(cwd))).toMatchObject({ '1.1': 'ended', '1.2': 'pending', '1.3': 'completed' });
    expect((await divisi(['reject'], { cwd })).code).toBe(0);
    const left = await divisi(['resume'], { cwd });
    expect({ code: left.code, stderr: left.stderr }).toEqual({ code: 1, stderr: '' });
    const status = statusOf(cwd);
    expect(statuses(status)).toEqual({
      '1.1': 'failed',
      '1.2': 'skipped',
      '1.3': 'completed',
      '2.1': 'skipped',
      '2.2': 'completed',
    });
    expect(status.tasks[0]?.failure).toEqual({ class: 'agent-error', message: 'exit code 3: out of luck' });
    expect(left.stdout).toContain('  1.2 skipped: 1.1 did not complete\n');
    expect(left.stdout).toContain(`\nnext: divisi resume ${status.run} retries what did not complete\n`);
    const plan = readFileSync(join(cwd, 'work-failed.md'), 'utf8');
    expect(plan).toContain('| 1.1 | Write the file of 1.1 | [!] |');
    expect(plan).toContain('| 1.2 | Write the file of 1.2 | [ ] |');

    writeFileSync(join(cwd, 'behave.json'), '{}');
    const resumed = await divisi(['resume'], { cwd });
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
    expect(Object.values(statuses(statusOf(cwd)))).toEqual(Array(5).fill('completed'));
    expect(readFileSync(join(cwd, 'work-completed.md'), 'utf8').match(/\| \[x\] /g)).toHaveLength(5);
    expect(existsSync(join(cwd, 'work-failed.md'))).toBe(false);
    expect(startsOf(cwd).toSorted()).toEqual(['1.1 1', '1.1 2', '1.1 3', '1.2 1', '1.3 1', '2.1 1', '2.2 1']);
  });

  it('whose command is not there has met its environment', async () => {
    const cwd = folder(projectFiles({ command: 'no-such-program --print' }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toMatch(/1\.1 failed.*no-such-program/);
    expect(statusOf(cwd).tasks[0]?.failure?.class).toBe('environment');
  });
});

describe.concurrent('a return that is not accepted', patient, () => {
  it('after two repairs blocks its task, and what could be read of it is kept', async () => {
    const cwd = folder(projectFiles({ behave: { '1.1': 'bad' } }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(said(cwd).filter((line) => !line.startsWith('end'))).toEqual([
      'start 1.1 1',
      'repair 1.1 1',
      'repair 1.1 1',
    ]);
    const [task] = statusOf(cwd).tasks;
    expect(task).toMatchObject({ status: 'ended', attempts: 1, summary: 'Wrote the file of 1.1.' });
    expect(task?.failure?.class).toBe('contract-violation');
    expect(task?.failure?.message).toMatch(/^still not accepted after 2 repairs: status \[not-a-choice\]/);
    expect(stdout).not.toMatch(/^ *files: /m);
    expect(readFileSync(join(cwd, task?.report ?? ''), 'utf8')).toContain('status: perhaps');
    expect(stdout).toMatch(/\n {2}divisi approve run_\w+ +accept the work as done\n/);

    expect((await divisi(['reject'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(1);
    expect(statusOf(cwd).tasks[0]?.status).toBe('blocked');
    expect(startsOf(cwd)).toEqual(['1.1 1']);
  });

  it('can be done again, which is said; and so is how the agent is asked for its return alone', async () => {
    const cwd = folder(projectFiles({ repair: false, behave: { '1.1': ['bad', 'work'] } }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toMatch(/\n {2}or: divisi diff run_\w+\/1\.1 +inspect the work first\n/);
    expect(stdout).toMatch(/\n {2}or: divisi resume run_\w+ from task 1\.1 +redo it\n/);
    expect(stdout).toMatch(/\n {2}or: set `Repair:` in the plan to a command /);
    expect((await divisi(['resume', 'from', 'task', '1.1'], { cwd })).code).toBe(0);
    expect(startsOf(cwd)).toEqual(['1.1 1', '1.1 2']);
  });

  it('can be taken as done by a person: the work is never done again because of its form', async () => {
    const cwd = folder(projectFiles({ waves: [['1.1', '1.2 after 1.1']], behave: { '1.1': 'bad' } }));
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect(startsOf(cwd)).toEqual(['1.1 1', '1.2 1']);
    expect(statusOf(cwd).tasks[0]).toMatchObject({
      status: 'completed',
      degraded: ['accepted-by-a-person', 'repaired'],
    });
  });

  it('blocks its task at once when the driver cannot ask again', async () => {
    const cwd = folder(projectFiles({ behave: { '1.1': 'prose' }, repair: false, settings: ['Returns: message'] }));
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    const [task] = statusOf(cwd).tasks;
    expect(task?.status).toBe('ended');
    expect(task?.failure?.class).toBe('contract-violation');
    expect(task?.failure?.message).toMatch(/^the driver cannot ask again: .*no-return/);
  });
});

describe.concurrent('a deadline', patient, () => {
  it('ends the worker; the task is tried once more, then at a stronger tier, and nothing else waits for it', async () => {
    const settings = ['Deadline: 2'];
    const behave = { '1.1': ['hang', 'hang', 'work'] } as const;
    const cwd = folder(projectFiles({ waves: [['1.1', '1.2']], settings, behave }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(0);
    expect(processesIn(cwd)).toEqual([]);
    expect(stdout.match(/ {2}1\.1 timed out, partial in .*the files it left are kept/g)).toHaveLength(2);
    expect(stdout.match(/ {2}1\.1 (?:retrying|escalated).*\n/g)).toEqual([
      '  1.1 retrying (attempt 2)\n',
      '  1.1 escalated to tier deep\n',
    ]);
    expect(stdout).toContain('  1.1 started: Write the file of 1.1 (attempt 3)\n');
    expect(startsOf(cwd).toSorted()).toEqual(['1.1 1', '1.1 2', '1.1 3', '1.2 1']);
    const ends = ledgerOf(cwd).events.flatMap((event) =>
      event.kind === 'delegation.ended' && event.task === '1.1'
        ? [[event.end, event.outcome.status, failureOf(event.outcome)?.class]]
        : [],
    );
    expect(ends).toEqual([
      ['timed-out', 'partial', 'timeout'],
      ['timed-out', 'partial', 'timeout'],
      ['returned', 'completed', undefined],
    ]);
  });
});

describe.concurrent('a checkpoint', patient, () => {
  it('pauses the run, which continues when a person has approved and resumes it', async () => {
    const waves = [['1.1'], ['2.1']];
    const more = '## Checkpoints\n\n- [ ] After wave 1: look at the totals\n';
    const cwd = folder(projectFiles({ waves, more }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(5);
    expect(said(cwd)).toEqual(['start 1.1 1', 'end 1.1']);
    expect(stdout).toContain('\ncheckpoint-1 after wave 1 needs you: look at the totals\n');
    expect(stdout).toMatch(
      /\n {2}completed: 1\.1\n {2}files: 1\.1\.txt\n {2}report: 1\.1: claims 1\/1 criteria\n {2}divisi approve run_\w+ +continue the run\n/,
    );
    expect(stdout).toMatch(/\nnext: answer, then divisi resume run_\w+\n/);
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('- [ ] After wave 1');

    const unanswered = await divisi(['resume'], { cwd });
    expect(unanswered.code).toBe(5);
    expect(said(cwd)).toEqual(['start 1.1 1', 'end 1.1']);

    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    const resumed = await divisi(['resume'], { cwd });
    expect(resumed.code).toBe(0);
    expect(said(cwd)).toEqual(['start 1.1 1', 'end 1.1', 'start 2.1 1', 'end 2.1']);
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('- [x] After wave 1: look at the totals');
  });

  it('that is ticked in the plan is behind us', async () => {
    const more = '## Checkpoints\n\n- [x] After wave 1: look at the totals\n';
    const cwd = folder(projectFiles({ waves: [['1.1'], ['2.1']], more }));
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(0);
  });
});

describe.concurrent('settings that do not hold: nothing is started', patient, () => {
  it.each([
    ['an unknown driver', ['run', 'plan.md', '--driver', 'nobody'], {}, /unknown driver: nobody \[DRIVER_UNKNOWN\]/],
    ['no driver at all', ['run', 'plan.md'], {}, /no driver given \[DRIVER_UNKNOWN\]/],
    [
      'a config with a fault',
      ['run', 'plan.md'],
      { '.divisi/config.yaml': 'grace: 1\nconcurrency: none\n' },
      /\.divisi\/config\.yaml:2: .*\[CONFIG_INVALID\]/,
    ],
    [
      'a config that is a folder',
      ['run', 'plan.md'],
      { '.divisi/config.yaml/a.txt': '' },
      /\.divisi\/config\.yaml cannot be read: not a regular file.*\[CONFIG_INVALID\]/,
    ],
    [
      'a recording without a folder',
      ['run', 'plan.md', '--record', 'nowhere/scenario.yaml'],
      {},
      /--record: ENOENT.*nowhere.* \[USAGE\]/,
    ],
    [
      'a scenario that is not there',
      ['run', 'plan.md', '--driver', 'demo'],
      { '.divisi/config.yaml': 'drivers:\n  demo: { kind: scripted, scenario: nothing.yaml }\n' },
      /nothing\.yaml cannot be read.*\[SCENARIO_INVALID\]/,
    ],
  ])('%s', async (_what, args, files, message) => {
    const cwd = folder({ 'plan.md': planText({ repair: false }).replace(/- Command: .*/, ''), ...files });
    const { code, stdout, stderr } = await divisi(args, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(ledgerFile(cwd))).toBe(false);
  });
});
