/** Resume does what failed, changed or never finished, whatever its position, and looks again at what it trusts. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOf, projectFiles, reviewsOf, type SampleProject, startsOf } from '../support/project.ts';
import { commitOnBranch } from '../support/run-branch.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

async function ran(code: number, sample: SampleProject): Promise<string> {
  const cwd = folder(projectFiles(sample));
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(code);
  return cwd;
}

/** What started since, in any order. */
async function startedBy(cwd: string, ...args: string[]): Promise<Run & { readonly starts: string[] }> {
  const before = startsOf(cwd).length;
  const run = await divisi(args, { cwd });
  return { ...run, starts: startsOf(cwd).slice(before).toSorted() };
}

function edit(cwd: string, change: (plan: string) => string): void {
  const file = join(cwd, 'plan.md');
  const text = readFileSync(file, 'utf8');
  const next = change(text);
  expect(next).not.toBe(text);
  writeFileSync(file, next);
}

describe.concurrent('from a place', patient, () => {
  const waves = [['1.1', '1.2 after 1.1', '1.3'], ['2.1'], ['3.1']];

  it('a wave or a task: that and what comes after or depends on it is done again, also of a completed run', async () => {
    const cwd = await ran(0, { waves });
    const wave = await startedBy(cwd, 'resume', 'from', 'wave', '2');
    expect(wave.code).toBe(0);
    expect(wave.starts).toEqual(['2.1 2', '3.1 2']);
    expect(wave.stdout).toContain('reopened (from wave 2): 2.1, 3.1\n');
    expect(wave.stdout).not.toContain('was edited');
    expect(ledgerOf(cwd).report).toMatchObject({ status: 'completed', counts: { completed: 5 } });

    const task = await startedBy(cwd, 'resume', '--from-task', '1.1');
    expect(task.code).toBe(0);
    expect(task.starts).toEqual(['1.1 2', '1.2 2']);

    const noWave = await divisi(['resume', '--from-wave', '9'], { cwd });
    const noTask = await divisi(['resume', '--from-task', '9.9'], { cwd });
    expect([noWave.code, noTask.code]).toEqual([2, 2]);
    expect(noWave.stderr).toMatch(/^divisi: run_\w+ has no wave 9 \[TASK_UNKNOWN\]\n/);
    expect(noTask.stderr).toMatch(/^divisi: run_\w+ has no task 9\.9 \[TASK_UNKNOWN\]\n/);
  });

  it('is refused where what comes before has not completed, unless what failed is to be left', async () => {
    const cwd = await ran(5, {
      waves: [
        ['1.1', '1.2'],
        ['2.1 after 1.2', '2.2 after 1.1'],
      ],
      behave: { '1.1': 'asks' },
    });
    const before = ledgerOf(cwd).events;
    const refused = await divisi(['resume', '--from-wave', '2'], { cwd });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^divisi: earlier work has not completed: 1\.1 \(\w+\) \[RESUME_NOT_READY\]\n/);
    expect(ledgerOf(cwd).events).toEqual(before);
    const { code, starts } = await startedBy(cwd, 'resume', '--from-wave', '2', '--skip-failed');
    expect(code).toBe(1);
    expect(starts).toEqual(['2.1 1']);
    expect(ledgerOf(cwd).report.counts).toEqual({ blocked: 1, completed: 2, skipped: 1 });
  });
});

it('--skip-failed leaves what failed and what depends on it, and does the rest', patient, async () => {
  const waves = [
    ['1.1', '1.2 after 1.1'],
    ['2.1', '2.2 after 1.1'],
  ];
  const cwd = await ran(5, { waves, behave: { '1.1': 'asks' } });
  const { code, starts, stdout } = await startedBy(cwd, 'resume', 'skip', 'failed');
  expect(code).toBe(1);
  expect(starts).toEqual(['2.1 1']);
  expect(stdout).toContain('  1.2 skipped: 1.1 did not complete\n');
  expect(ledgerOf(cwd).report.counts).toEqual({ blocked: 1, skipped: 2, completed: 1 });
});

it('--skip-failed leaves what a person was asked about when the run was cancelled', patient, async () => {
  const cwd = await ran(5, { waves: [['1.1', '1.2']], behave: { '1.1': 'asks' } });
  expect((await divisi(['cancel'], { cwd })).code).toBe(0);
  const { run } = ledgerOf(cwd).report;
  const { code, starts } = await startedBy(cwd, 'resume', run, '--skip-failed');
  expect({ code, starts }).toEqual({ code: 1, starts: [] });
  expect(ledgerOf(cwd).report.counts).toEqual({ blocked: 1, completed: 1 });
});

describe.concurrent('work is known by its content', patient, () => {
  const paused = {
    waves: [['1.1', '1.2 after 1.1', '1.3'], ['2.1']],
    more: '## Checkpoints\n\n- [ ] After wave 1: look\n',
  };

  async function goOn(cwd: string): ReturnType<typeof startedBy> {
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    return startedBy(cwd, 'resume');
  }

  it('a task whose text has changed runs again, with what depends on it and nothing else', async () => {
    const cwd = await ran(5, paused);
    edit(cwd, (plan) => plan.replace('Write the file of 1.1', 'Write the file of 1.1 with care'));
    const { code, starts } = await goOn(cwd);
    // What was approved was other work.
    expect({ code, starts }).toEqual({ code: 5, starts: ['1.1 2', '1.2 2'] });
    expect(await goOn(cwd)).toMatchObject({ code: 0, starts: ['2.1 1'] });
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8')).toContain('| 1.1 | Write the file of 1.1 with care | [x] → ');
  });

  it('a task that is to be done by a stronger agent now does not', async () => {
    const cwd = await ran(5, { ...paused, waves: [['1.1', '1.2'], ['2.1']] });
    edit(cwd, (plan) => plan.replace('## Wave 1', '- Tier: deep\n\n## Wave 1'));
    expect(await goOn(cwd)).toMatchObject({ code: 0, starts: ['2.1 1'] });
  });

  it('a task that has another name or place now does not', async () => {
    const cwd = await ran(5, paused);
    edit(cwd, (plan) => {
      const [row = ''] = /^\| 1\.3 .*\n/m.exec(plan) ?? [];
      return plan.replace(row, '').replace(/^\| 1\.1 /m, `${row.replace('| 1.3 |', '| 1.9 |')}| 1.1 `);
    });
    const { code, starts } = await goOn(cwd);
    expect(code).toBe(0);
    expect(starts).toEqual(['2.1 1']);
    expect(
      ledgerOf(cwd)
        .report.tasks.map(({ task }) => task)
        .toSorted(),
    ).toEqual(['1.1', '1.2', '1.9', '2.1']);
  });

  it('a file that is gone has its task done again; one that was changed is only reported', async () => {
    const cwd = await ran(5, paused);
    commitOnBranch(cwd, { '1.1.txt': null, '1.3.txt': 'more\n' });
    const { code, starts, stdout } = await goOn(cwd);
    expect({ code, starts }).toEqual({ code: 5, starts: ['1.1 2', '1.2 2'] });
    expect(await goOn(cwd)).toMatchObject({ code: 0, starts: ['2.1 1'] });
    expect(stdout).toMatch(/changed since its task completed: .*1\.1\.txt of 1\.1 \(missing\).*\n/);
    expect(stdout).toMatch(/changed since its task completed: .*1\.3\.txt of 1\.3 \(changed\).*\n/);
  });
});

describe.concurrent('an audit before a run continues', patient, () => {
  const paused = { waves: [['1.1'], ['2.1']], more: '## Checkpoints\n\n- [ ] After wave 1: look\n' };

  async function audited(verdict: 'work' | 'MED' | 'HIGH'): Promise<string> {
    const cwd = await ran(5, { ...paused, behave: { 'audit:review': verdict } });
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    return cwd;
  }

  it('that finds nothing continues', async () => {
    const cwd = await audited('work');
    const { code, starts } = await startedBy(cwd, 'resume', '--audit');
    expect(code).toBe(0);
    expect(starts).toEqual(['2.1 1']);
    expect(reviewsOf(cwd)[1]).toBe('audit:review auditor deep');
  });

  it('that finds something trivial has it fixed first', async () => {
    const cwd = await audited('MED');
    const before = startsOf(cwd).length;
    expect((await divisi(['resume', '--audit'], { cwd })).code).toBe(0);
    expect(startsOf(cwd).slice(before)).toEqual(['audit:fix 1', '2.1 1']);
  });

  it('that finds more than that asks', async () => {
    const cwd = await audited('HIGH');
    const { code, starts, stdout } = await startedBy(cwd, 'resume', '--audit');
    expect({ code, starts }).toEqual({ code: 5, starts: [] });
    expect(stdout).toContain('needs you: the audit still says HIGH: fix-the-HIGH\n');
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    expect((await startedBy(cwd, 'resume')).starts).toEqual(['2.1 1']);
  });
});

// Whichever of the six it is: tests/simulation/resume.test.ts.
it('one failure in a wave of six costs one more start', patient, async () => {
  const wave = ['1.1', '1.2', '1.3', '1.4', '1.5', '1.6'];
  const cwd = await ran(5, { waves: [wave], settings: ['Concurrency: 6'], behave: { '1.4': ['asks', 'work'] } });
  expect(startsOf(cwd).toSorted()).toEqual(wave.map((id) => `${id} 1`));
  expect((await divisi(['approve'], { cwd })).code).toBe(0);
  const { code, starts } = await startedBy(cwd, 'resume');
  expect({ code, starts }).toEqual({ code: 0, starts: ['1.4 2'] });
});
