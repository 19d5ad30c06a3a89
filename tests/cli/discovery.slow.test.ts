/** Before a new run, Divisi finds unfinished runs and waiting plans, and a person decides about them. */
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure } from '../support/answers.ts';
import { hasTerminal, typeTo } from '../support/on-terminal.ts';
import { ledgerOf, planText, projectFiles, said } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { type Run, divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
/** Side by side, each takes longer. */
const patient = { timeout: 120_000 };
const fixes = planText({ title: 'Fixes', waves: [['7.1']] });

/** A project in which the run of a plan was paused before its only task returned. */
async function pausedProject(file = 'header-check.md'): Promise<{ cwd: string; run: string }> {
  const cwd = folder(
    projectFiles({
      file,
      title: 'Check',
      behave: { '1.1': 'hold' },
      files: {
        '.divisi/config.yaml': 'grace: 0\n',
        'header-fixes.md': fixes,
        'totals.md': planText({ title: 'Totals', waves: [['8.1']] }),
      },
    }),
  );
  const running = startDivisi(['run', file], { cwd });
  await until(
    () => said(cwd),
    (seen) => seen.includes('start 1.1 1'),
  );
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(3);
  return { cwd, run: ledgerOf(cwd).report.run };
}

const started = (cwd: string, task: string): string[] => said(cwd).filter((line) => line.startsWith(`start ${task} `));

describe('a plan like the one of an unfinished run', () => {
  let cwd = '';
  let run = '';
  beforeAll(async () => {
    ({ cwd, run } = await pausedProject());
  });
  const refused = async (...args: string[]): Promise<Run> => {
    const answer = await divisi(args, { cwd });
    expect({ code: answer.code, stdout: answer.stdout }).toEqual({ code: 2, stdout: '' });
    expect(started(cwd, '7.1')).toEqual([]);
    return answer;
  };

  it('is not begun; the run is named, and how to continue', async () => {
    const { stderr } = await refused('run', 'header-fixes.md');
    expect(stderr).toBe(
      [
        'divisi: header-fixes.md may be about work that is not finished: [PLAN_SIMILAR]',
        `  ${run} (paused) Check, header-check.md: divisi resume ${run}`,
        '  `--resume` resumes the first of them, `--new` starts over. Nothing was started.',
        '',
      ].join('\n'),
    );
    const { stdout } = await divisi(['run', 'header-fixes.md', '--json'], { cwd });
    expect(failure.parse(JSON.parse(stdout)).error).toMatchObject({ code: 'PLAN_SIMILAR', ids: { run } });
  });

  it('nor is one from standard input, and nothing of it is kept', async () => {
    const { code, stderr } = await divisi(['run', '-'], { cwd, input: planText({ title: 'Header check' }) });
    expect(code).toBe(2);
    expect(stderr).toContain('divisi: the plan may be about work that is not finished: [PLAN_SIMILAR]\n');
    expect(existsSync(join(cwd, '.divisi/plans'))).toBe(false);
  });

  it('a description is compared as well; one that is about something else goes to an architect', async () => {
    expect((await refused('run', 'check', 'the', 'header')).stderr).toContain('[PLAN_SIMILAR]');
    expect((await refused('plan', 'check', 'the', 'header')).stderr).toContain('[PLAN_SIMILAR]');
    // Nothing here says what runs an architect.
    expect((await refused('run', 'translate all error messages')).stderr).toContain('[DRIVER_UNKNOWN]');
    expect((await refused('run', 'check the header', '--new')).stderr).toContain('[DRIVER_UNKNOWN]');
  });

  it('a path that does not exist is not taken as a description', async () => {
    expect((await refused('run', 'header-chekc.md')).stderr).toContain('[PLAN_UNREADABLE]');
  });

  it('the same plan is refused as before', async () => {
    expect((await refused('run', 'header-check.md')).stderr).toContain('[RUN_UNFINISHED]');
    expect((await refused('run', 'header-check.md', '--new')).stderr).toContain('[RUN_UNFINISHED]');
  });

  it('without a plan, what is there is listed with its commands', async () => {
    writeFileSync(join(cwd, 'plan.md'), planText({ title: 'Another' }));
    const { stderr } = await refused('run');
    expect(stderr).toMatch(/^divisi: no plan was named\. Available: \[USAGE\]\n/);
    expect(stderr).toContain(`\n  ${run} (paused) Check, header-check.md: divisi resume ${run}\n`);
    expect(stderr).toContain('\n  plan.md (no run yet) Another: divisi run plan.md\n');
  });

  it('another plan begins without a word', async () => {
    const { code, stderr } = await divisi(['run', 'totals.md'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('--new begins it', async () => {
    const { code, stderr } = await divisi(['run', 'header-fixes.md', '--new'], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(started(cwd, '7.1')).toHaveLength(1);
  });
});

describe.concurrent('--resume', patient, () => {
  it.each([['header-check.md'], ['header-fixes.md'], ['check the header']])(
    'run %s --resume continues the run',
    async (what) => {
      const { cwd, run } = await pausedProject();
      writeFileSync(join(cwd, 'go-on'), '');
      const { code, stdout } = await divisi(['run', what, '--resume'], { cwd });
      expect(code).toBe(0);
      expect(stdout).toContain(`\n${run}: completed. `);
      expect([started(cwd, '1.1').length, started(cwd, '7.1').length]).toEqual([2, 0]);
    },
  );

  it('begins the plan where there is nothing to continue', async () => {
    const cwd = folder(projectFiles());
    expect((await divisi(['run', 'plan.md', '--resume'], { cwd })).code).toBe(0);
    expect(started(cwd, '1.1')).toHaveLength(1);
  });
});

describe.concurrent('divisi run resume', patient, () => {
  it.each([[['resume', 'from', 'wave', '1']], [['resume, skip failed tasks']]])('%j', async (words) => {
    const { cwd, run } = await pausedProject();
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, stdout } = await divisi(['run', ...words], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(`\n${run}: completed. `);
  });
});

describe.concurrent('a plan in .divisi/plans that was begun and has no run', patient, () => {
  const waiting = '.divisi/plans/header-check-inprogress.md';
  const files = projectFiles({ file: waiting, title: 'Check', files: { 'header-fixes.md': fixes } });

  it('is offered, and --resume runs it', async () => {
    const cwd = folder(files);
    const { code, stderr } = await divisi(['run', 'header-fixes.md'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`\n  ${waiting} (no run yet) Check: divisi run ${waiting}\n`);
    expect((await divisi(['run', 'header-fixes.md', '--resume'], { cwd })).code).toBe(0);
    expect([started(cwd, '1.1').length, started(cwd, '7.1').length]).toEqual([1, 0]);
    expect(readdirSync(join(cwd, '.divisi/plans'))).toEqual(['header-check-completed.md']);
    expect((await divisi(['run', 'header-fixes.md'], { cwd })).code).toBe(0);
  });

  it('is not offered beside its run, whatever state its name says', async () => {
    const { cwd, run } = await pausedProject(waiting);
    const paused = waiting.replace('inprogress', 'paused');
    const offered = async (): Promise<string[]> =>
      (await divisi(['run'], { cwd })).stderr.split('\n').filter((line) => line.includes('header-check'));
    const line = `  ${run} (paused) Check, ${paused}: divisi resume ${run}`;
    expect(await offered()).toEqual([line]);
    renameSync(join(cwd, paused), join(cwd, waiting));
    expect(await offered()).toEqual([line]);
  });

  it('does not stand in its own way', async () => {
    expect((await divisi(['run', waiting], { cwd: folder(files) })).code).toBe(0);
  });

  it('its title is text, and its name is one word of the command', async () => {
    const escape = String.fromCodePoint(27);
    const cwd = folder({
      ".divisi/plans/header it's-paused.md": planText({ title: `Red ${escape}[31m` }),
      'header.md': fixes,
    });
    const { stderr } = await divisi(['run', 'header.md'], { cwd });
    expect(stderr).toContain(String.raw`(no run yet) Red [31m: divisi run '.divisi/plans/header it'\''s-paused.md'`);
    expect(stderr).not.toContain(escape);
  });
});

describe.skipIf(!hasTerminal)('on a terminal', () => {
  const waiting = '.divisi/plans/header-check-inprogress.md';
  const files = projectFiles({ file: waiting, title: 'Check', files: { 'header-fixes.md': fixes } });

  it.concurrent('the number of a choice runs it', async () => {
    const cwd = folder(files);
    const { code, shown } = await typeTo(['run', 'header-fixes.md'], cwd, ['7\r', '1\r']);
    expect(shown).toContain(`  1  run ${waiting} (no run yet) Check\r\n  n  begin header-fixes.md\r\n  q  quit\r\n`);
    expect(code).toBe(0);
    expect([started(cwd, '1.1').length, started(cwd, '7.1').length]).toEqual([1, 0]);
  });

  it.concurrent('new begins the new plan', async () => {
    const cwd = folder(files);
    expect((await typeTo(['run', 'header-fixes.md'], cwd, ['n\r'])).code).toBe(0);
    expect([started(cwd, '1.1').length, started(cwd, '7.1').length]).toEqual([0, 1]);
  });

  it.concurrent.each([['q\r'], ['\u0003'], ['\u0004']])('%j starts nothing', async (key) => {
    const cwd = folder(files);
    const { code, shown } = await typeTo(['run', 'header-fixes.md'], cwd, [key]);
    expect({ code, said: said(cwd) }).toEqual({ code: 4, said: [] });
    expect(shown).toContain('nothing was started');
  });

  it.concurrent('without a plan, what is there is offered', async () => {
    const cwd = folder(files);
    const { code, shown } = await typeTo(['run'], cwd, ['1\r']);
    expect(shown).toContain(`No plan was named. Available:\r\n  1  run ${waiting} (no run yet) Check\r\n  q  quit\r\n`);
    expect(code).toBe(0);
  });

  it.concurrent('the run of the same plan can be resumed', async () => {
    const { cwd, run } = await pausedProject();
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, shown } = await typeTo(['run', 'header-check.md'], cwd, ['1\r']);
    expect(shown).toContain(`header-check.md has an unfinished run.\r\n  1  resume ${run} (paused) Check`);
    expect(code).toBe(0);
  });
});
