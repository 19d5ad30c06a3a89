/** A run in a terminal waits for the person in front of it, or for one elsewhere, and shows what it waits for. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOf, projectFiles, type SampleProject, startsOf } from '../support/project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { until } from '../support/running.ts';
import { hasTmux, type Terminal } from '../support/terminal.ts';
import { divisi } from '../support/divisi.ts';
import { ended, frameLines, pressTwice, runInTerminal } from './run-in-terminal.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const planned: SampleProject = {
  waves: [['1.1'], ['2.1']],
  more: '## Checkpoints\n\n- [ ] After wave 1: look at the totals\n',
};

function run(sample: SampleProject, columns = 80, rows = 24): { readonly cwd: string; readonly terminal: Terminal } {
  const cwd = folder(projectFiles(sample));
  return { cwd, terminal: runInTerminal(cwd, columns, rows) };
}

const answers = (cwd: string): unknown[] =>
  ledgerOf(cwd).events.flatMap((event) =>
    event.kind === 'checkpoint.answered' ? [[event.checkpoint, event.approved, event.by, event.note]] : [],
  );

function summaryIn(cwd: string): string {
  const file = join(cwd, '.divisi/runs', ledgerOf(cwd).report.run, 'summary.md');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe.skipIf(!hasTmux).concurrent('a checkpoint of the plan', patient, () => {
  it('is shown with what was done and what the answers mean, and a key pressed twice continues', async () => {
    const { cwd, terminal } = run(planned);
    await terminal.shows(/^a approve: continue the run; r reject: stop the run here; Ctrl-C pause$/m);
    const screen = terminal.screen().join('\n');
    expect(screen).toMatch(/^checkpoint-1 after wave 1 needs you: look at the totals$/m);
    expect(screen).toMatch(/^ {2}completed: 1\.1$/m);
    expect(screen).toMatch(/^ {2}files: 1\.1\.txt$/m);
    expect(screen).toMatch(/^wave 1 of 2 Part 1: completed, 1 of 1$/m);
    expect(screen).toMatch(/^\[ \] 2\.1 .* pending +waiting for you: /m);
    expect(screen).toMatch(
      /^checkpoint: look at the totals\nneeds you: divisi approve (run_\w+)\n {2}or: divisi reject \1$/m,
    );
    expect(startsOf(cwd)).toEqual(['1.1 1']);
    await pressTwice(terminal, 'a');
    await terminal.shows(ended);
    expect(terminal.record()).toEqual(
      expect.arrayContaining(['checkpoint-1 approved', 'run completed', 'ended with 0']),
    );
    expect(frameLines(terminal.record())).toEqual([]);
    expect(startsOf(cwd)).toEqual(['1.1 1', '2.1 1']);
    expect(answers(cwd)).toEqual([['checkpoint-1', true, 'person', undefined]]);
  });

  it('is answered from elsewhere while the view waits', async () => {
    const { cwd, terminal } = run(planned);
    await terminal.shows(/^needs you: /m);
    await until(
      () => summaryIn(cwd),
      (text) => text.includes('\n## Waiting for an answer\n\n- checkpoint-1: '),
    );
    const { code, stdout } = await divisi(['approve', '--note', 'looked'], { cwd });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('was notified') });
    await terminal.shows('ended with 0');
    expect(terminal.record()).toEqual(expect.arrayContaining(['checkpoint-1 approved: looked', 'run completed']));
    expect(answers(cwd)).toEqual([['checkpoint-1', true, 'person', 'looked']]);
  });

  it('is left open by Ctrl-C, which pauses the run', async () => {
    const { cwd, terminal } = run(planned);
    await terminal.shows(/^needs you: /m);
    terminal.press('C-c');
    await terminal.shows('ended with 3');
    expect(frameLines(terminal.record())).toEqual([]);
    expect(answers(cwd)).toEqual([]);
    expect(ledgerOf(cwd).report.status).toBe('paused');
  });

  it('is shown again when the run is resumed', async () => {
    const cwd = folder(projectFiles(planned));
    expect((await divisi(['run', 'plan.md'], { cwd })).code).toBe(5);
    const terminal = runInTerminal(cwd, 80, 24, 'resume');
    await terminal.shows(/^a approve: continue the run; r reject: stop the run here; Ctrl-C pause$/m);
    const screen = terminal.screen().join('\n');
    expect(screen).toMatch(/^checkpoint-1 needs you: look at the totals\n {2}completed: 1\.1\n {2}files: 1\.1\.txt$/m);
    await pressTwice(terminal, 'a');
    await terminal.shows('ended with 0');
  });

  it('in a window of 20 by 5 still says what to do, and takes the keys', async () => {
    const { cwd, terminal } = run(planned, 20, 5);
    await terminal.shows(/^! divisi approve\na approve, r reject$/m);
    terminal.press('a');
    await terminal.shows(/^a again: approve$/m);
    terminal.press('a');
    await terminal.shows(ended);
    expect(answers(cwd)).toEqual([['checkpoint-1', true, 'person', undefined]]);
  });
});

describe.skipIf(!hasTmux).concurrent('a checkpoint for trouble', patient, () => {
  it('says in full what the answers mean, and yes has the task tried again', async () => {
    const { cwd, terminal } = run({ behave: { '1.1': ['asks', 'work'] } });
    await terminal.shows(
      /^a approve: retry .*\nr reject: leave it failed, skip its dependents, continue with the rest\nCtrl-C pause$/m,
    );
    const screen = terminal.screen().join('\n');
    expect(screen).toMatch(/^\[!\] 1\.1 .* undecided /m);
    expect(screen).toMatch(/^checkpoint: 1\.1: unclear: /m);
    await pressTwice(terminal, 'a');
    await terminal.shows('ended with 0');
    expect(startsOf(cwd)).toEqual(['1.1 1', '1.1 2']);
    expect(terminal.record()).toContain('  1.1 retrying (attempt 2), approved by you');
  });
});
