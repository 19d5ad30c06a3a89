/** `divisi run` from a plan to its end, with real workers. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, planText, projectFiles, said } from '../support/project.ts';
import { onBranch } from '../support/run-branch.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { ledgerFile } from '../../src/workspace/places.ts';

/** A machine that cannot confine agents says so at each run. */
const withoutNote = (stderr: string): string => stderr.replace(/^divisi: AGENTS ARE NOT CONFINED: .*\n/, '');

const folder = temporaryFolders();
/** Side by side, each takes longer. */
const patient = { timeout: 120_000 };
const starts = (cwd: string): string[] => said(cwd).filter((line) => line.startsWith('start'));
const marksOf = (text: string): string[] =>
  [...text.matchAll(/^\| (\S+) \|.*\| \[(.)\](?: \| | → )/gm)].map(([, id = '', mark = '']) => `${id} ${mark}`);

describe.concurrent('a plan of two waves', patient, () => {
  const waves = [['1.1', '1.2', '1.3 after 1.1'], ['2.1']];

  it('runs to its end; its file, its reports and the last lines say what was done', async () => {
    const behave = { '1.2': 'prose' } as const;
    const cwd = folder(projectFiles({ file: 'my-plan-inprogress.md', waves, behave }));
    const { code, stdout, stderr } = await divisi(['run', 'my-plan-inprogress.md'], { cwd });
    expect({ code, stderr: withoutNote(stderr) }).toEqual({ code: 0, stderr: '' });

    const order = said(cwd);
    expect(order.filter((line) => /^(start|repair)/.test(line)).toSorted()).toEqual([
      'repair 1.2 1',
      'start 1.1 1',
      'start 1.2 1',
      'start 1.3 1',
      'start 2.1 1',
    ]);
    expect(order.indexOf('start 1.3 1')).toBeGreaterThan(order.indexOf('end 1.1'));
    for (const end of ['end 1.2', 'end 1.3']) {
      expect(order.indexOf('start 2.1 1')).toBeGreaterThan(order.indexOf(end));
    }

    expect(readdirSync(cwd).filter((name) => name.endsWith('.md'))).toEqual(['my-plan-completed.md']);
    const plan = readFileSync(join(cwd, 'my-plan-completed.md'), 'utf8');
    expect(marksOf(plan)).toEqual(['1.1 x', '1.2 x', '1.3 x', '2.1 x']);
    const [, log = ''] = plan.split('## Execution Log\n');
    expect(log).toMatch(/Z 1\.2 return not accepted, repair 1 of 2: .*no-return/);
    expect(log).toMatch(
      /Z 1\.2 completed in .*, after 1 repair, degraded \(repaired\): 1 file \+1 −0: Wrote the file of 1\.2\./,
    );
    expect(log.trim().split('\n').at(-1)).toMatch(/^- \S+Z run completed$/);
    expect(plan).toContain('## Files Modified\n\n- `1.1.txt`\n- `1.2.txt`\n- `1.3.txt`\n- `2.1.txt`\n');

    const [, run = ''] = /^(run_\w+) Sample: 2 waves, 4 tasks, /.exec(stdout) ?? [];
    const reports = join(cwd, '.divisi/runs', run, 'reports');
    expect(readdirSync(reports, { recursive: true, encoding: 'utf8' }).toSorted()).toEqual([
      'final-review.md',
      'wave-1',
      'wave-1/task-1.1.md',
      'wave-1/task-1.2.md',
      'wave-1/task-1.3.md',
      'wave-1/wave-review.md',
      'wave-2',
      'wave-2/task-2.1.md',
      'wave-2/wave-review.md',
    ]);
    expect(readFileSync(join(reports, 'wave-1/task-1.2.md'), 'utf8')).toContain('## Summary\nWrote the file of 1.2.');
    expect(stdout).toContain(`\n${run}: completed. 4 tasks: 4 completed.\n`);
    expect(stdout).toContain('\nfiles: 1.1.txt, 1.2.txt, 1.3.txt, 2.1.txt\n');
    expect(stdout).toContain(`\nreports: .divisi/runs/${run}/reports\nplan: my-plan-completed.md\n`);
    expect(existsSync(join(cwd, '.divisi/.gitignore'))).toBe(true);
  });

  it('runs side by side as many as it may, and one by one with --concurrency 1', async () => {
    const wave = ['1.1', '1.2', '1.3', '1.4'];
    const cwd = folder(projectFiles({ waves: [wave], settings: ['Concurrency: 4'] }));
    const { code, stdout } = await divisi(['run', 'plan.md', '--concurrency', '1'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(', 1 at a time, ');
    expect(said(cwd)).toEqual(wave.flatMap((id) => [`start ${id} 1`, `end ${id}`]));

    const wide = folder(projectFiles({ waves: [wave], settings: ['Concurrency: 2'] }));
    const events = eventsOf((await divisi(['run', 'plan.md', '--json'], { cwd: wide })).stdout);
    let active = 0;
    const heights = events.map(({ kind }) => {
      active += kind === 'delegation.registered' ? 1 : kind === 'delegation.ended' ? -1 : 0;
      return active;
    });
    expect(Math.max(...heights)).toBe(2);
  });

  it.each(['0', '1.5'])('--concurrency %s is refused before anything happens', async (number) => {
    const cwd = folder(projectFiles());
    const { code, stdout, stderr } = await divisi(['run', 'plan.md', '--concurrency', number], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/\[USAGE\]/);
    expect(existsSync(ledgerFile(cwd))).toBe(false);
  });

  it('--json: one object a line, from the plan to the end; the last is the report', async () => {
    const cwd = folder(projectFiles({ waves }));
    const { code, stdout, stderr } = await divisi(['run', 'plan.md', '--json'], { cwd });
    expect({ code, stderr: withoutNote(stderr) }).toEqual({ code: 0, stderr: '' });
    const reported = (await divisi(['report', '--json'], { cwd })).stdout;
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toEqual(JSON.parse(reported));
    const events = eventsOf(stdout);
    expect(new Set(events.map(({ run }) => run)).size).toBe(1);
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind !== 'plan.written');
    expect(kinds.slice(0, 5)).toEqual(['run.created', 'wave.planned', 'wave.planned', 'plan.confirmed', 'run.started']);
    expect(kinds.slice(-3)).toEqual(['task.settled', 'wave.ended', 'run.ended']);
    // Four tasks, the reviews of two waves, the final review.
    expect(kinds.filter((kind) => kind === 'delegation.registered')).toHaveLength(7);
    expect(kinds.filter((kind) => kind === 'delegation.ended')).toHaveLength(7);
    const recorded = eventsOf((await divisi(['events', '--json'], { cwd })).stdout);
    expect(recorded).toEqual(events.map((event, at) => ({ ...event, seq: at + 1 })));
  });

  it('does not run what is ticked already', async () => {
    const cwd = folder(projectFiles({ waves: [['1.1 done', '1.2 after 1.1'], ['2.1 done']] }));
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect(code).toBe(0);
    expect(starts(cwd)).toEqual(['start 1.2 1']);
    expect(stdout).toContain(', 3 tasks, 2 already completed, ');
    expect(marksOf(readFileSync(join(cwd, 'plan.md'), 'utf8'))).toEqual(['1.1 x', '1.2 x', '2.1 x']);
  });
});

describe.concurrent('a plan from standard input', patient, () => {
  it('is kept under a name of ten to twenty words', async () => {
    const { 'plan.md': _, ...files } = projectFiles();
    const cwd = folder(files);
    const title = 'Rounding of the totals in the cart and in every invoice';
    const { code, stdout, stderr } = await divisi(['run', '-'], { cwd, input: planText({ title }) });
    expect({ code, stderr: withoutNote(stderr) }).toEqual({ code: 0, stderr: '' });
    const names = readdirSync(join(cwd, '.divisi/plans'));
    expect(names).toEqual(['rounding-of-the-totals-in-the-cart-and-in-every-invoice-completed.md']);
    expect(stdout).toContain(`plan: .divisi/plans/${names[0]}\n`);
    const short = await divisi(['run', '-'], { cwd, input: planText({ title: 'Two words' }) });
    expect(short.code).toBe(0);
    const [name = ''] = readdirSync(join(cwd, '.divisi/plans')).filter((other) => !names.includes(other));
    const words = name.replace('-completed.md', '').split('-').length;
    expect(words).toBeGreaterThanOrEqual(10);
    expect(words).toBeLessThanOrEqual(20);
  });

  it('does not overwrite the plan of a run that continues', async () => {
    const { 'plan.md': _, ...files } = projectFiles({ behave: { '1.1': 'hold' } });
    const cwd = folder(files);
    const plans = join(cwd, '.divisi/plans');
    const running = startDivisi(['run', '-'], { cwd, input: planText() });
    await until(
      () => said(cwd),
      (seen) => seen.includes('start 1.1 1'),
    );
    const [name = ''] = readdirSync(plans);
    const mine = `${readFileSync(join(plans, name), 'utf8')}\n## Notes\n\n- Mine.\n`;
    writeFileSync(join(plans, name), mine);
    const second = await divisi(['run', '-'], { cwd, input: planText() });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('[RUN_UNFINISHED]');
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    expect(readdirSync(plans)).toHaveLength(1);
    expect(readFileSync(join(plans, readdirSync(plans)[0] ?? ''), 'utf8')).toContain('- Mine.');
  });

  it('leaves nothing behind when it is not a plan', async () => {
    const cwd = folder({ '.divisi/config.yaml': '' });
    const { code, stderr } = await divisi(['run', '-'], { cwd, input: 'not a plan' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^divisi: standard input:1: .*\[PLAN_INVALID\]/);
    expect(readdirSync(join(cwd, '.divisi'))).toEqual(['config.yaml']);
  });
});

describe.concurrent('--record', patient, () => {
  it('keeps a scenario that gives the same results without any worker', async () => {
    const waves = [['1.1', '1.2'], ['2.1 after 1.2']];
    const cwd = folder(projectFiles({ waves, behave: { '1.1': 'prose', '1.2': 'fail' } }));
    const results = (stdout: string): string[] =>
      eventsOf(stdout)
        .filter(({ kind }) => /^(task\.(settled|retried)|delegation\.registered|checkpoint\.opened)$/.test(kind))
        .map(({ kind, task, attempt, tier, status, why }) => JSON.stringify([kind, task, attempt, tier, status, why]))
        .toSorted();
    const first = await divisi(['run', 'plan.md', '--record', 'scenario.yaml', '--json'], { cwd });
    expect(first.code).toBe(5);
    const scenario = readFileSync(join(cwd, 'scenario.yaml'), 'utf8');
    const replay = folder({
      'scenario.yaml': scenario,
      'plan.md': planText({ waves, repair: false }).replace(/- Command: .*/, '- Scenario: scenario.yaml'),
    });
    const second = await divisi(['run', 'plan.md', '--json'], { cwd: replay });
    expect(second.code).toBe(5);
    expect(results(first.stdout)).toContain('["delegation.registered","1.2",2,"deep",null,null]');
    expect(results(second.stdout)).toEqual(results(first.stdout));
    expect(onBranch(replay, '1.1.txt')).toBe('done 1\n');
  });
});
