/** Looking at runs: status, list, events, logs, report. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure } from '../support/answers.ts';
import { eventsOf, inProject, planText, projectFiles, said } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();

describe('a project without runs', () => {
  it.concurrent.each(['status', 'events', 'logs 1.1', 'report', 'resume', 'cancel'])('divisi %s', async (line) => {
    const { code, stdout, stderr } = await divisi(line.split(' '), { cwd: folder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^divisi: this project has no runs \[RUN_UNKNOWN\]\n/);
  });

  it('divisi list', async () => {
    const cwd = folder();
    expect((await divisi(['list'], { cwd })).stdout).toBe('no runs yet; start one with `divisi run PLAN`\n');
    expect(existsSync(join(cwd, '.divisi'))).toBe(false);
  });
});

describe('two runs, one that completed and one that waits for a person', () => {
  let cwd = '';
  const runs: string[] = [];
  beforeAll(async () => {
    const files = { 'other.md': planText({ title: 'Other', waves: [['2.1']] }) };
    cwd = folder(projectFiles({ waves: [['1.1', '1.2 after 1.1']], behave: { '2.1': 'fail' }, files }));
    for (const plan of ['plan.md', 'other.md']) {
      const { stdout } = await divisi(['run', plan, '--json'], { cwd });
      runs.push(eventsOf(stdout)[0]?.run ?? '');
    }
  });
  const ask = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await divisi(args, { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const refusal = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await divisi([...args, '--json'], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
    return failure.parse(JSON.parse(stdout)).error.code;
  };

  it('list: the newest first', async () => {
    const [first, second] = (await ask('list')).trim().split('\n');
    expect(first).toMatch(
      new RegExp(`^${runs[1]}  paused       \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ  Other  other\\.md$`),
    );
    expect(second).toMatch(new RegExp(`^${runs[0]}  completed    \\S+  Sample  plan\\.md$`));
    const { runs: rows } = JSON.parse(await ask('list', '--json')) as { runs: { run: string; status: string }[] };
    expect(rows).toMatchObject([
      { run: runs[1], status: 'paused', planFile: 'other.md' },
      { run: runs[0], status: 'completed', planFile: 'plan.md' },
    ]);
  });

  it('status: of the newest, or of the one that is named', async () => {
    const status = await ask('status');
    expect(status).toContain(
      `${runs[1]} Other: paused (checkpoint: 2.1: agent-error: exit code 3: out of luck)\nplan other.md\n1 task: 1 undecided\nspent: 2 delegations, `,
    );
    expect(status).toContain('\n  [!] 2.1 Write the file of 2.1 – undecided: waiting for you: 2.1: agent-error: ');
    expect(status).toContain(`\n  divisi approve ${runs[1]}    retry (--note TEXT instructs the agent)\n`);
    expect(status).toContain(`\n  divisi reject ${runs[1]}     leave it failed, skip its dependents, `);
    const whole = JSON.parse(await ask('status', runs[0] ?? '', '--json')) as Record<string, unknown>;
    expect(whole).toMatchObject({ run: runs[0], status: 'completed', counts: { completed: 2 }, delegations: [] });
  });

  it('events: as many as JSON has, each with its number', async () => {
    const events = eventsOf(await ask('events', runs[0] ?? '', '--json'));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    const lines = (await ask('events', runs[0] ?? '')).trimEnd().split('\n');
    expect(lines).toHaveLength(events.length);
    expect(lines[0]).toMatch(/^ {4}1 {2}\S+Z {2}run\.created /);
    expect(await ask('events', runs[0] ?? '', '--follow')).toBe(`${lines.join('\n')}\n`);
  });

  it('logs: what was said, and where it is', async () => {
    expect(await ask('logs', `${runs[0]}/1.2`)).toContain('## Summary\nWrote the file of 1.2.\n');
    expect(await ask('logs', '2.1')).toContain('out of luck');
    const { files } = JSON.parse(await ask('logs', `${runs[0]}/1.2`, '--json')) as { files: { file: string }[] };
    expect(files.length).toBeGreaterThan(0);
    for (const { file } of files) readFileSync(file);
  });

  it('report: of a run, of a task, of a section', async () => {
    expect(await ask('report', runs[0] ?? '')).toMatch(
      new RegExp(`^${runs[0]}: completed\\. 2 tasks: 2 completed\\.\n`),
    );
    const whole = await ask('report', `${runs[0]}/1.1`);
    expect(whole).toMatch(/^verified: 1 file \+1 −0\n\n---\nschema_version: 1\.0\.0\n/);
    appendFileSync(
      join(cwd, '.divisi/runs', runs[0] ?? '', 'reports/wave-1/task-1.1.md'),
      '### Part\nx\n## Issues\nNone.\n',
    );
    expect(await ask('report', `${runs[0]}/1.1`, '--section', 'SUMMARY')).toBe(
      '## Summary\nWrote the file of 1.1.\n\n### Part\nx\n',
    );
    expect(JSON.parse(await ask('report', `${runs[0]}/1.1`, '--section', 'issues', '--json'))).toMatchObject({
      run: runs[0],
      task: '1.1',
      text: '## Issues\nNone.\n',
    });
    expect(await refusal('report', `${runs[0]}/1.1`, '--section', 'nothing')).toBe('USAGE');
  });

  it.each([
    ['status run_nothing', 'RUN_UNKNOWN'],
    ['status run_', 'RUN_UNKNOWN'],
    ['events run_', 'RUN_UNKNOWN'],
    ['logs 9.9', 'TASK_UNKNOWN'],
    ['logs run_nothing/1.1', 'RUN_UNKNOWN'],
    ['report 9.9', 'TASK_UNKNOWN'],
    ['report run_nothing', 'RUN_UNKNOWN'],
  ])('divisi %s is %s', async (line, code) => {
    expect(await refusal(...line.split(' '))).toBe(code);
  });

  it('a beginning that several runs have says so; one that only one has is enough', async () => {
    expect((await divisi(['status', 'run_'], { cwd })).stderr).toMatch(
      /^divisi: more than one run id begins with run_ \[RUN_UNKNOWN\]\n/,
    );
    const [one = '', other = ''] = runs;
    const shared = Array.from(one).findIndex((letter, at) => letter !== other[at]);
    expect(await ask('status', one.slice(0, shared + 1))).toContain(`${one} Sample: completed`);
  });
});

describe('--follow, while a run continues', () => {
  it('events and logs show what comes, and end when the run does', async () => {
    const cwd = folder(projectFiles({ waves: [['1.1'], ['2.1']], behave: { '1.1': 'hold' } }));
    writeFileSync(
      join(cwd, 'worker.mjs'),
      `console.log('first words');\n${readFileSync(join(cwd, 'worker.mjs'), 'utf8')}`,
    );
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => said(cwd),
      (seen) => seen.includes('start 1.1 1'),
    );
    const events = startDivisi(['events', '--follow', '--json'], { cwd });
    const logs = startDivisi(['logs', '1.1', '--follow'], { cwd });
    await until(
      () => logs.stdout(),
      (seen) => seen === 'first words\n',
    );
    await until(
      () => events.stdout(),
      (seen) => seen.includes('"delegation.started"'),
    );
    const status = await divisi(['status'], { cwd });
    expect(status.stdout).toContain(`held by process ${running.pid} on `);
    expect(status.stdout).toMatch(/\[ \] 2\.1 .*: waiting for wave 2/);
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    const [followed, log] = await Promise.all([events.ended, logs.ended]);
    expect([followed.code, log.code]).toEqual([0, 0]);
    expect(log.stdout).toContain('## Summary\nWrote the file of 1.1.\n');
    const seen = eventsOf(followed.stdout);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1));
    expect(seen.map(({ kind }) => kind)).toContain('run.ended');
  });

  it('logs do not break a character that was written in two halves', async () => {
    const worker = `
import { existsSync, writeSync } from 'node:fs';
${inProject}
writeSync(1, Buffer.from('caf\\xC3', 'latin1'));
while (!existsSync('go-on')) await new Promise((resolve) => setTimeout(resolve, 10));
writeSync(1, Buffer.from('\\xA9.\\n', 'latin1'));
`;
    const cwd = folder(projectFiles({ repair: false, files: { 'worker.mjs': worker } }));
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => running.stdout(),
      (seen) => seen.includes('1.1 started'),
    );
    const logs = startDivisi(['logs', '1.1', '--follow'], { cwd });
    await until(
      () => logs.stdout(),
      (seen) => seen === 'caf',
    );
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(5);
    expect((await logs.ended).stdout).toBe('caf\u00E9.\n');
  });
});
