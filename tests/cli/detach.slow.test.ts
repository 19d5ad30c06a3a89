/** Runs without a terminal: in the background, and under `nohup`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { divisi, environment } from '../support/divisi.ts';
import { ledgerOf, projectFiles, said, startsOf } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { gitProject } from '../support/committed-project.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const statusOf = (cwd: string): string => ledgerOf(cwd).report.status;

describe.concurrent('divisi run --detach', patient, () => {
  it('returns while the run works, and the run ends on its own with its output in its folder', async () => {
    const cwd = folder(projectFiles({ behave: { '1.1': 'hold' } }));
    const { code, stdout, stderr } = await divisi(['run', 'plan.md', '--detach'], { cwd });
    const { run } = ledgerOf(cwd).report;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // It is created before it starts.
    expect(['planning', 'running']).toContain(statusOf(cwd));
    expect(stdout).toContain(`${run} runs in the background\n  follow it: divisi events ${run} --follow; `);
    expect(stdout).toContain(`  its log:   .divisi/runs/${run}/divisi.log; `);
    await until(
      () => said(cwd),
      (seen) => seen.includes('start 1.1 1'),
    );
    writeFileSync(join(cwd, 'go-on'), '');
    const inRun = (name: string): string => readFileSync(join(cwd, '.divisi/runs', run, name), 'utf8');
    const lastLine = (): string => inRun('divisi.jsonl').trimEnd().split('\n').at(-1) ?? '';
    await until(lastLine, (line) => line.includes('"status":"completed","plan"'));
    expect(JSON.parse(lastLine())).toMatchObject({ run, status: 'completed' });
    expect(inRun('divisi.log')).toBe('');
  });

  it('resumes, too, and finds the plan from the folder it was called in', async () => {
    const cwd = gitProject(folder, { file: 'docs/plan.md', behave: { '1.1': 'asks' } });
    const inFolder = { cwd: join(cwd, 'docs'), variables: environment(cwd) };
    const first = await divisi(['run', 'plan.md', '--detach', '--json'], inFolder);
    expect([first.code, JSON.parse(first.stdout)]).toMatchObject([0, { run: ledgerOf(cwd).report.run }]);
    await until(
      () => statusOf(cwd),
      (status) => status === 'paused',
    );
    writeFileSync(join(cwd, 'behave.json'), '{}');
    await divisi(['approve'], { cwd });
    expect((await divisi(['resume', '--detach'], { cwd })).code).toBe(0);
    await until(
      () => statusOf(cwd),
      (status) => status === 'completed',
    );
    expect(startsOf(cwd)).toEqual(['1.1 1', '1.1 2']);
  });

  it('prints what refuses the run, with its exit code', async () => {
    const cwd = folder(projectFiles({}));
    const given = await divisi(['run', 'none.md', '--detach'], { cwd });
    expect(given).toEqual(await divisi(['run', 'none.md'], { cwd }));
    expect([given.code, given.stderr]).toEqual([2, expect.stringContaining('none.md')]);
    const preview = await divisi(['run', 'plan.md', '--detach', '--mode', 'plan'], { cwd });
    expect([preview.code, preview.stderr]).toEqual([2, expect.stringContaining('contradict each other [USAGE]')]);
  });
});

it('SIGHUP stops nothing where no terminal is attached, as under nohup', patient, async () => {
  const cwd = folder(projectFiles({ behave: { '1.1': 'hold' } }));
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await until(
    () => said(cwd),
    (seen) => seen.includes('start 1.1 1'),
  );
  running.kill('SIGHUP');
  writeFileSync(join(cwd, 'go-on'), '');
  expect((await running.ended).code).toBe(0);
});
