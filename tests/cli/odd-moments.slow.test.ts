/** Events at odd moments and files in odd places: nothing hangs, happens twice or is mistaken for something else. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/process/find-program.ts';
import { fakePrograms } from '../support/fake-programs.ts';
import { inProject, ledgerOf, planText, projectFiles, said } from '../support/project.ts';
import { commitOnBranch } from '../support/run-branch.ts';
import { processesIn, startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi, unconfined } from '../support/divisi.ts';
import { ledgerFile, stateFolder } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

const startsOf = (cwd: string, task: string): number =>
  said(cwd).filter((line) => line.startsWith(`start ${task} `)).length;

function leasesIn(cwd: string): number {
  const db = new DatabaseSync(ledgerFile(cwd), { readOnly: true });
  try {
    return Number(db.prepare('select count(*) as held from leases where holder is not null').get()?.['held']);
  } finally {
    db.close();
  }
}

async function untilRunning(cwd: string): Promise<void> {
  await until(
    () => said(cwd),
    (seen) => seen.includes('start 1.1 1'),
  );
}

describe.concurrent('an orchestrator that was killed', patient, () => {
  it(
    'has not lost what its agent said afterwards, also when the run is paused before it is resumed',
    patient,
    async () => {
      const cwd = folder(projectFiles({ behave: { '1.1': 'hold' } }));
      const running = startDivisi(['run', 'plan.md'], { cwd, variables: unconfined });
      await untilRunning(cwd);
      running.kill('SIGKILL');
      await running.ended;
      const refused = await divisi(['run', 'plan.md', '--new'], { cwd });
      expect(refused.stderr).toMatch(
        /has an unfinished run: run_\w+ \(interrupted\) \[RUN_UNFINISHED\]\n.*start over, `divisi cancel/,
      );
      writeFileSync(join(cwd, 'go-on'), '');
      await until(
        () => processesIn(cwd).length,
        (left) => left === 0,
      );
      expect((await divisi(['pause'], { cwd })).code).toBe(0);
      expect((await divisi(['resume'], { cwd })).code).toBe(0);
      expect(startsOf(cwd, '1.1')).toBe(1);
      expect(ledgerOf(cwd).report.tasks[0]).toMatchObject({ status: 'completed', degraded: ['recovered'] });
    },
  );

  it('before its run was recorded leaves nothing behind that anyone meets', patient, async () => {
    const cwd = folder(projectFiles());
    const real = await findProgram('git', { PATH: process.env['PATH'] }, '/');
    const lines = `echo >> '${cwd}/asked'; until [ -e '${cwd}/go-on' ]; do sleep 0.05; done; exec '${real ?? ''}' "$@"`;
    const PATH = `${fakePrograms(join(folder(), 'bin'), { git: lines })}:${process.env['PATH'] ?? ''}`;
    const running = startDivisi(['run', 'plan.md'], { cwd, variables: { PATH } });
    await until(
      () => existsSync(join(cwd, 'asked')) && leasesIn(cwd),
      (leases) => leases === 1,
    );
    running.kill('SIGKILL');
    writeFileSync(join(cwd, 'go-on'), '');
    await running.ended;
    expect((await divisi(['list'], { cwd })).stdout).not.toContain('run_');
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(0);
    expect(ledgerOf(cwd).report.status).toBe('completed');
  });

  it('on a machine that is gone is taken over when a person says so, and not before', patient, async () => {
    const cwd = folder(projectFiles({ behave: { '1.1': 'hang' } }));
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await untilRunning(cwd);
    running.kill('SIGKILL');
    await running.ended;
    writeFileSync(join(cwd, 'behave.json'), '{}');
    const db = new DatabaseSync(ledgerFile(cwd));
    db.exec(`update leases set holder = json_set(holder, '$.host', 'a-container-that-is-gone')`);
    db.close();
    const refused = await divisi(['resume'], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/a-container-that-is-gone.*\[LEASE_HELD\]/);
    expect(refused.stderr).toContain('--take-over');
    expect((await divisi(['resume', '--take-over'], { cwd })).code).toBe(0);
  });
});

it.concurrent('one Ctrl-C that also ends the reader of the output is still one Ctrl-C', patient, async () => {
  const files = { '.divisi/config.yaml': 'grace: 30\n' };
  const cwd = folder(projectFiles({ behave: { '1.1': 'hold' }, files }));
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await untilRunning(cwd);
  running.kill('SIGINT');
  running.hangUp();
  await new Promise((resolve) => setTimeout(resolve, 300));
  writeFileSync(join(cwd, 'go-on'), '');
  await running.ended;
  expect(ledgerOf(cwd).report.tasks[0]?.status).toBe('completed');
});

it.concurrent('an agent that returns when it is asked to end has returned', patient, async () => {
  const polite = `import { appendFileSync } from 'node:fs';
const { DIVISI_TASK: task, DIVISI_RUN: run, DIVISI_WORKLOG_PATH: worklog } = process.env;
process.on('SIGTERM', () => {
  console.log(\`---
schema_version: 1.0.0
run_id: \${run}
task_id: "\${task}"
status: done
files_touched: []
acceptance_check: [{ criterion: it is there, status: pass, evidence: "ls: found" }]
notes_for_orchestrator: []
worklog_path: \${worklog}
---
## Summary
All of it was done already.\`);
  process.exit(0);
});
${inProject}
appendFileSync('said.log', 'start ' + task + ' 1\\n');
setInterval(() => undefined, 1000);`;
  const files = { 'worker.mjs': polite, '.divisi/config.yaml': 'grace: 0\n' };
  const cwd = folder(projectFiles({ waves: [['1.1'], ['2.1']], files }));
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await untilRunning(cwd);
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(3);
  const { status, tasks } = ledgerOf(cwd).report;
  expect([status, tasks[0]?.status, tasks[0]?.degraded]).toEqual(['paused', 'verifying', ['recovered']]);
});

it.concurrent('an ended run is not resumed beside another run of its plan', patient, async () => {
  const cwd = folder(projectFiles({ behave: { '1.1': 'fail' } }));
  const first = await divisi(['run', 'plan.md'], { cwd });
  expect(first.code).toBe(5);
  await divisi(['reject'], { cwd });
  expect((await divisi(['resume'], { cwd })).code).toBe(1);
  const [run = ''] = /run_\w+/.exec(first.stdout) ?? [];
  writeFileSync(join(cwd, 'behave.json'), '{"1.1":"hold"}');
  const second = startDivisi(['run', 'plan.md'], { cwd });
  await until(
    () => said(cwd),
    (seen) => seen.filter((line) => line === 'start 1.1 1').length === 2,
  );
  const resumed = await divisi(['resume', run], { cwd });
  expect(resumed.stderr).toContain('[RUN_UNFINISHED]');
  writeFileSync(join(cwd, 'go-on'), '');
  expect((await second.ended).code).toBe(0);
});

it.concurrent('a cancelled run is resumed only by its name', patient, async () => {
  const cwd = folder(projectFiles({ behave: { '1.1': 'hold' } }));
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await untilRunning(cwd);
  expect((await divisi(['cancel'], { cwd })).code).toBe(0);
  expect((await running.ended).code).toBe(4);
  const refused = await divisi(['resume'], { cwd });
  expect(refused.stderr).toMatch(/was cancelled \[RUN_ENDED\]/);
  writeFileSync(join(cwd, 'go-on'), '');
  const { run } = ledgerOf(cwd).report;
  expect((await divisi(['resume', run], { cwd })).code).toBe(0);
});

it.concurrent('a worker that replaces its output with a pipe blocks nothing', patient, async () => {
  const command = `sh -c 'o="\${DIVISI_PROMPT_FILE%.prompt}"; rm "$o"; mkfifo "$o"; echo done'`;
  const cwd = folder({ 'plan.md': planText({ command: command.replaceAll('\\', ''), repair: false }) });
  const { code } = await divisi(['run', 'plan.md'], { cwd, variables: unconfined });
  expect(code).toBe(5);
  expect(ledgerOf(cwd).report.tasks[0]).toMatchObject({ status: 'ended', failure: { class: 'no-answer' } });
});

it.concurrent('a report that one task leaves for another is not mistaken for its own', patient, async () => {
  const cwd = folder(projectFiles({ waves: [['1.1'], ['2.1 after 1.1']], behave: { '1.1': 'hold' } }));
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await untilRunning(cwd);
  const [run = ''] = /run_\w+/.exec(running.stdout()) ?? [];
  const reports = join(cwd, '.divisi/runs', run, 'reports/wave-2');
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, 'task-2.1.md'), 'forged');
  writeFileSync(join(cwd, 'go-on'), '');
  expect((await running.ended).code).toBe(0);
  expect(readFileSync(join(reports, 'task-2.1.md'), 'utf8')).toContain('Wrote the file of 2.1');
});

it.concurrent(
  'waves are run as the plan has them, whatever numbers it gives them, and the agent gets title and text',
  patient,
  async () => {
    const plan = planText({ waves: [['0.1'], ['3.1']] })
      .replace('## Wave 1:', '## Wave 0:')
      .replace('## Wave 2:', '## Wave 3:')
      .replace(/\| 3\.1 \| (.*) \| \[ \] \| - \|/, '| 3.1 | $1 | [ ] | Wave 0 |')
      .concat('\n### Task 3.1\nAnd do it well.\n');
    const cwd = folder({ ...projectFiles({}), 'plan.md': plan });
    const { code, stdout } = await divisi(['run', 'plan.md'], { cwd });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'plan.md'), 'utf8').match(/\[x\]/g)?.length).toBe(2);
    const [run = ''] = /run_\w+/.exec(stdout) ?? [];
    const returns = join(stateFolder(cwd), 'runs', run, 'returns');
    const prompts = readdirSync(returns)
      .filter((name) => name.endsWith('.prompt'))
      .map((name) => readFileSync(join(returns, name), 'utf8'));
    const prompt = prompts.find((text) => text.includes('# Your task: 3.1')) ?? '';
    expect(prompt).toContain('Write the file of 3.1\n\nAnd do it well.');
  },
);

it('a run is cancelled from elsewhere also while finished work is looked at again', patient, async () => {
  const slow = join(folder(), 'slow');
  const cwd = folder({
    ...projectFiles({ waves: [['1.1'], ['2.1']], more: '## Checkpoints\n\n- [ ] After wave 1: look\n' }),
    '.divisi/config.yaml': `grace: 1\nworkspace:\n  accept: [[sh, -c, 'test ! -e "${slow}" || { touch "${slow}.begun"; sleep 50; }']]\n`,
  });
  expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
  commitOnBranch(cwd, { '1.1.txt': 'changed\n' });
  writeFileSync(slow, '');
  const running = startDivisi(['resume'], { cwd });
  await until(
    () => existsSync(`${slow}.begun`),
    (begun) => begun,
  );
  const began = Date.now();
  expect((await divisi(['cancel'], { cwd })).code).toBe(0);
  expect((await running.ended).code).toBe(4);
  expect(Date.now() - began).toBeLessThan(20_000);
});
