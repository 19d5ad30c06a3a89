/** A plan belongs to people: what they write into it while it runs stays, and becomes the plan of the run where it can. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOf, projectFiles, promptsOf, said, type SampleProject, startsOf } from '../support/project.ts';
import { type Running, startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';

const folder = temporaryFolders();
/** They wait more than they work, all at once. */
const patient = { timeout: 120_000 };

/** A run whose first task waits until it is told to continue, and whose plan shows that. */
async function begin(
  sample: SampleProject = {},
): Promise<{ readonly cwd: string; readonly file: string; readonly running: Running }> {
  const waves = [['1.1'], ['2.1']];
  const more = '## Notes\n\n- Mine.\n';
  const cwd = folder(projectFiles({ waves, behave: { '1.1': 'hold' }, more, ...sample }));
  const file = join(cwd, 'plan.md');
  const running = startDivisi(['run', 'plan.md'], { cwd });
  await until(
    () => said(cwd),
    (seen) => seen.includes('start 1.1 1'),
  );
  await until(
    () => readFileSync(file, 'utf8'),
    (seen) => seen.includes('| 1.1 | Write the file of 1.1 | [~] |'),
  );
  return { cwd, file, running };
}

/** Changes the plan as a person does, and waits until the run has said something about it. */
async function edit(file: string, running: Running, change: (text: string) => string, word: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
  await until(
    () => running.stdout(),
    (seen) => seen.includes(word),
  );
}

const kinds = (cwd: string): string[] => ledgerOf(cwd).events.map(({ kind }) => kind);

describe.concurrent('a person edits the plan while it runs', patient, () => {
  it('what was written stays, the marks and the log continue, and the change is on record once', async () => {
    const { cwd, file, running } = await begin();
    const change = (text: string): string =>
      text
        .replace('- Mine.', '- Mine.\n- And a second note, with | and [x] in it.')
        .replace('Write the file of 2.1', 'Write it with more care');
    await edit(file, running, change, 'plan edit applied');
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('- Mine.\n- And a second note, with | and [x] in it.\n');
    expect(text).toContain('| 1.1 | Write the file of 1.1 | [x]');
    expect(text).toContain('| 2.1 | Write it with more care | [x]');
    expect(text.match(/run completed$/gm)).toHaveLength(1);
    expect(text.match(/Z 1\.1 completed in/g)).toHaveLength(1);
    expect(stdout).toContain('plan plan.md was edited\n');
    expect(promptsOf(cwd, '2.1')[0]).toContain('Write it with more care');
    expect(kinds(cwd).filter((kind) => kind === 'plan.changed')).toHaveLength(1);
    expect(kinds(cwd).filter((kind) => kind === 'plan.amended')).toHaveLength(1);
  });

  it('tasks that were added, moved and removed are done in the order of the plan, or not at all', async () => {
    const { cwd, file, running } = await begin({
      waves: [['1.1'], ['2.1', '2.2', '2.3']],
      settings: ['Concurrency: 1'],
    });
    const change = (text: string): string => {
      const row = (id: string): string => `| ${id} | Write the file of ${id} | [ ] | - |\n`;
      return text.replace(row('2.1') + row('2.2') + row('2.3'), row('2.2') + row('2.1') + row('2.4'));
    };
    await edit(file, running, change, 'plan edit applied');
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.2 1', '2.1 1', '2.4 1']);
    expect(readFileSync(file, 'utf8')).toContain('| 2.4 | Write the file of 2.4 | [x]');
    expect(ledgerOf(cwd).report.counts).toEqual({ completed: 4 });
  });

  it('a task that is done and gets another name keeps its report and what its agent said', async () => {
    const { cwd, file, running } = await begin({
      waves: [['1.0', '1.1'], ['2.1']],
      settings: ['Concurrency: 1'],
    });
    await edit(file, running, (text) => text.replace('| 1.0 |', '| 1.9 |'), 'plan edit applied: 1.0 renamed to 1.9');
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    const [logs, report] = await Promise.all([divisi(['logs', '1.9'], { cwd }), divisi(['report', '1.9'], { cwd })]);
    expect([logs.code, report.code]).toEqual([0, 0]);
    expect(logs.stdout).toContain('1.0');
    expect(report.stdout).toContain('1.0');
  });

  it('what is running is no longer changed, and that is said', async () => {
    const { cwd, file, running } = await begin();
    const change = (text: string): string => text.replace('Write the file of 1.1', 'Write something else');
    await edit(file, running, change, 'not applied: 1.1 is running; the change does not apply to this run');
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    expect(kinds(cwd)).not.toContain('plan.amended');
    expect(readFileSync(file, 'utf8')).toContain('| 1.1 | Write something else | [x]');
  });

  it('a log that was removed is not written again, and nothing is written twice', async () => {
    const { cwd, file, running } = await begin();
    const withoutLog = (text: string): string => text.slice(0, text.indexOf('## Execution Log'));
    await edit(file, running, withoutLog, 'was edited');
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    const after = readFileSync(file, 'utf8');
    expect(after.match(/^## Execution Log$/gm)).toHaveLength(1);
    const lines = after.slice(after.indexOf('## Execution Log')).trim().split('\n').slice(2);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.at(-1)).toMatch(/run completed$/);
  });

  it('a plan that is no longer one is left alone, and the run continues', async () => {
    const { cwd, file, running } = await begin();
    const broken = '# Half a\n\n| ID | Ta\n\nthought\n';
    await edit(file, running, () => broken, 'not applied: not a valid plan (line ');
    writeFileSync(join(cwd, 'go-on'), '');
    const { code } = await running.ended;
    expect(code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(broken);
    expect(said(cwd)).toContain('end 2.1');
    expect(kinds(cwd)).toContain('plan.changed');
  });

  it('a plan that becomes one again is brought up to date', async () => {
    const { cwd, file, running } = await begin();
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, '# Half a thought\n');
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(3);
    expect(readFileSync(file, 'utf8')).toBe('# Half a thought\n');
    writeFileSync(file, text);
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    const after = readFileSync(file, 'utf8');
    expect(after).toContain('| 1.1 | Write the file of 1.1 | [x]');
    expect(after).toContain('| 2.1 | Write the file of 2.1 | [x]');
    expect(after).toMatch(/Z paused: stopped$/m);
  });
});

describe.concurrent('what a person has to say twice', patient, () => {
  const tick = (text: string): string =>
    text.replace('| 2.1 | Write the file of 2.1 | [ ] |', '| 2.1 | Write the file of 2.1 | [x] |');

  it.each([
    ['approve', ['1.1 1']],
    ['reject', ['1.1 1', '2.1 1']],
  ])('a task that was ticked counts as done after a yes only: %s', async (answer, starts) => {
    const { cwd, file, running } = await begin();
    await edit(file, running, tick, 'checkpoint-1 needs you: ');
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(5);
    expect(readFileSync(file, 'utf8')).toContain('| 2.1 | Write the file of 2.1 | [x]');
    expect(startsOf(cwd)).toEqual(['1.1 1']);
    expect((await divisi([answer], { cwd })).code).toBe(0);
    expect((await divisi(['resume'], { cwd })).code).toBe(0);
    expect(startsOf(cwd)).toEqual(starts);
    expect(readFileSync(file, 'utf8')).toContain('| 2.1 | Write the file of 2.1 | [x]');
    expect(ledgerOf(cwd).report.counts).toEqual({ completed: 2 });
  });

  it('what a task accepts: others continue meanwhile, and the yes reaches the running process', async () => {
    const { cwd, file, running } = await begin({ waves: [['1.1'], ['2.1', '2.2']] });
    const change = (text: string): string =>
      text.replace('## Notes', '### Task 2.1\n\n- Accept: it is neat\n\n## Notes');
    await edit(file, running, change, 'checkpoint-1 needs you: ');
    expect((await divisi(['approve'], { cwd })).code).toBe(0);
    await until(
      () => running.stdout(),
      (seen) => seen.includes('plan edit applied'),
    );
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await running.ended).code).toBe(0);
    expect(promptsOf(cwd, '2.1')[0]).toContain('It is done when:\n- C1: it is neat');
    expect(startsOf(cwd).toSorted()).toEqual(['1.1 1', '2.1 1', '2.2 1']);
  });

  it('a run that is cancelled has not said no: what the file asks for is asked again', async () => {
    const { cwd, file, running } = await begin();
    const change = (text: string): string =>
      text.replace('## Notes', '### Task 2.1\n\n- Accept: it is neat\n\n## Notes');
    await edit(file, running, change, 'checkpoint-1 needs you: ');
    expect((await divisi(['cancel'], { cwd })).code).toBe(0);
    expect((await running.ended).code).toBe(4);
    writeFileSync(join(cwd, 'go-on'), '');
    const resumed = await divisi(['resume', ledgerOf(cwd).report.run], { cwd });
    expect(resumed.stdout).toContain('checkpoint-2 needs you: the plan was edited: 2.1 changed\n');
    expect([resumed.code, startsOf(cwd).filter((start) => start.startsWith('2.1'))]).toEqual([5, []]);
  });
});

describe.concurrent('a plan that cannot be written while it runs', patient, () => {
  it.each([
    ['taken away', (file: string) => rmSync(file)],
    [
      'replaced by a folder',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    ['no longer UTF-8', (file: string) => writeFileSync(file, Buffer.from([0x23, 0x20, 0xff, 0xfe]))],
  ])('%s: a warning, and the run continues to its end', async (_what, harm) => {
    const { cwd, file, running } = await begin();
    harm(file);
    writeFileSync(join(cwd, 'go-on'), '');
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stdout).toContain(': completed. 2 tasks: 2 completed.\n');
    expect(stderr).toMatch(/^divisi: the plan plan\.md could not be written: .*\[PLAN_UNWRITABLE\]$/m);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(ledgerOf(cwd).report.counts).toEqual({ completed: 2 });
  });

  it('removed before it continues: what a person puts there later is noticed', async () => {
    const { cwd, file, running } = await begin();
    running.kill('SIGKILL');
    await running.ended;
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    const again = startDivisi(['resume'], { cwd });
    await until(
      () => said(cwd),
      (seen) => seen.includes('start 1.1 2'),
    );
    writeFileSync(file, text.replace('Write the file of 2.1', 'Write it with more care'));
    await until(
      () => again.stdout(),
      (seen) => seen.includes('plan edit applied'),
    );
    writeFileSync(join(cwd, 'go-on'), '');
    expect((await again.ended).code).toBe(0);
    expect(promptsOf(cwd, '2.1')[0]).toContain('Write it with more care');
  });
});
