/** `divisi run` in a real terminal: what it shows, what it leaves, and how it is stopped. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ledgerOf, projectFiles } from '../support/project.ts';
import { processesIn, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { hasTmux, openTerminal, type Terminal } from '../support/terminal.ts';
import { mainFile } from '../support/divisi.ts';
import { ended, frameLines, pressTwice, runCommand, runInTerminal } from './run-in-terminal.ts';
import { scriptedFiles } from './scripted-files.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
function run(files: Parameters<typeof folder>[0]): { cwd: string; terminal: Terminal } {
  const cwd = folder(files);
  return { cwd, terminal: runInTerminal(cwd) };
}

const six = {
  waves: [
    ['1.1', '1.2', '1.3 after 1.2', '1.4'],
    ['2.1', '2.2'],
  ],
};

describe.skipIf(!hasTmux).concurrent('a run in a terminal', patient, () => {
  it('shows the waves and tasks while it runs, and leaves a record without a frame', async () => {
    const files = { '.divisi/config.yaml': 'grace: 1\nconcurrency: 2\n' };
    const { cwd, terminal } = run(projectFiles({ ...six, behave: { '1.1': 'hold', '1.2': 'hold' }, files }));
    await terminal.shows(/^\[~\] 1\.2 .* running +0:0\d/m);
    const screen = terminal.screen().join('\n');
    expect(screen).toMatch(/^run_\w+ Sample$/m);
    expect(screen).toMatch(/^\[.{30}\] 0:0\d {2}0 of 6, 2 running, 4 waiting$/m);
    expect(screen).toMatch(/^wave 1 of 2 Part 1: 0 of 4$/m);
    expect(screen).toMatch(/^\[ \] 1\.3 .* pending +waiting for 1\.2$/m);
    expect(screen).toMatch(/^\[ \] 1\.4 .* pending +waiting for a free slot \(2 at a time\)$/m);
    expect(screen).toMatch(/^wave 2 of 2 Part 2: pending, 0 of 2$/m);
    expect(terminal.cursor().isShown).toBe(false);
    writeFileSync(join(cwd, 'go-on'), '');
    await terminal.shows(ended);
    const record = terminal.record();
    expect(frameLines(record)).toEqual([]);
    expect(record.filter((line) => /^ {2}\d\.\d started: Write the file of \d\.\d$/.test(line))).toHaveLength(6);
    expect(record.filter((line) => /^ {2}\d\.\d completed in /.test(line))).toHaveLength(6);
    expect(record).toEqual(expect.arrayContaining(['run completed', 'ended with 0']));
    expect(record.join('\n')).toMatch(/: completed\. 6 tasks: 6 completed\.\n/);
    expect(terminal.cursor().isShown).toBe(true);
  });

  it('fits a window that becomes narrower and wider again, and leaves nothing of it behind', async () => {
    const { cwd, terminal } = run(projectFiles({ ...six, behave: { '1.2': 'hold', '1.4': 'fail' } }));
    await terminal.shows(/^\[!\] 1\.4 [^]*^needs you: /m);
    for (const [columns, rows] of [
      [40, 24],
      [100, 24],
      [20, 5],
      [70, 12],
      [100, 24],
    ] as const) {
      terminal.resize(columns, rows);
      await until(
        () => terminal.screen(),
        (lines) => {
          const once = (words: RegExp): boolean => lines.filter((line) => words.test(line)).length === 1;
          const calls = once(/^needs you: divisi approve|^! divisi approve/) && once(/^a approve/);
          return lines.length < rows && calls && once(/^\[~\] 1\.2/) && once(/\d:\d\d +1 of 6/);
        },
      );
    }
    await terminal.shows(/^\[~\] 1\.2 .* running /m);
    writeFileSync(join(cwd, 'go-on'), '');
    await pressTwice(terminal, 'r');
    await terminal.shows(ended);
    const record = terminal.record();
    expect(frameLines(record)).toEqual([]);
    expect(record.filter((line) => line.startsWith('  1.1 completed in '))).toHaveLength(1);
    expect(record.filter((line) => line.startsWith('  1.4 escalated to tier deep'))).toHaveLength(1);
    expect(record).toEqual(expect.arrayContaining(['checkpoint-1 rejected', 'ended with 1']));
  });

  it('shows what an agent said last, harmlessly', async () => {
    const talk = String.raw`printf 'first\ncompiling \033[2J\033[31mthe rest\n'; while [ ! -e "$HOME/go-on" ]; do sleep 0.05; done`;
    const { cwd, terminal } = run(projectFiles({ command: 'sh talk.sh', files: { 'talk.sh': talk } }));
    await terminal.shows(/running +\d:\d\d +\d:\d\d ago: compiling/);
    expect(terminal.screen().join('\n')).toMatch(/ ago: compiling \[2J \[31mthe rest\n/);
    writeFileSync(join(cwd, 'go-on'), '');
    // It never says what it did, so a person is asked.
    await terminal.shows(/^needs you: /m);
    await pressTwice(terminal, 'r');
    await terminal.shows('ended with 1');
  });

  it('of 80 tasks shows what runs, and how many more there are', async () => {
    const { terminal } = run(scriptedFiles({ tasks: 80, hang: ['1.7'], after: 5, concurrency: 20 }));
    await terminal.shows(/^\[~\] 1\.7 [^]*more: /m);
    await terminal.shows(/] \d:\d\d {2}79 of 80, 1 running$/m);
    expect(terminal.screen().length).toBeLessThan(24);
    terminal.press('C-c');
    await terminal.shows(ended);
    const record = terminal.record();
    expect(frameLines(record)).toEqual([]);
    expect(record.filter((line) => line.includes(' completed in '))).toHaveLength(79);
  });
});

describe.skipIf(!hasTmux).concurrent('keys', patient, () => {
  it('Ctrl-C once pauses: what runs gets its moment', async () => {
    const { cwd, terminal } = run(projectFiles({ ...six, behave: { '1.1': 'hang', '1.2': 'hang' } }));
    await terminal.shows(/^\[~\] 1\.2 /m);
    terminal.press('C-c');
    await terminal.shows('stopping; press Ctrl-C again to stop now');
    await terminal.shows('ended with 3');
    expect(terminal.record()).toEqual(
      expect.arrayContaining([
        'stopping: no new tasks; running ones get a moment. Press Ctrl-C again to stop at once.',
        '  1.1 stopped; restarts when the run is resumed',
        'paused: stopped',
      ]),
    );
    expect(frameLines(terminal.record())).toEqual([]);
    expect(ledgerOf(cwd).report.status).toBe('paused');
    expect(processesIn(cwd)).toEqual([]);
  });

  it('Ctrl-C twice ends at once', async () => {
    const files = { '.divisi/config.yaml': 'grace: 60\n' };
    const { cwd, terminal } = run(projectFiles({ ...six, behave: { '1.1': 'stubborn', '1.2': 'hang' }, files }));
    await terminal.shows(/^\[~\] 1\.2 /m);
    terminal.press('C-c');
    await terminal.shows('stopping; press Ctrl-C again to stop now');
    terminal.press('C-c');
    await terminal.shows('ended with 3');
    expect(processesIn(cwd)).toEqual([]);
    expect(terminal.cursor().isShown).toBe(true);
  });

  it('Ctrl-Z gives the terminal back; bg continues in plain lines, fg with the view', async () => {
    const { cwd, terminal } = run(
      projectFiles({ waves: [['1.1', '1.2 after 1.1', '1.3 after 1.2']], behave: { '1.2': 'hold' } }),
    );
    await terminal.shows(/^\[~\] 1\.2 /m);
    terminal.press('C-z');
    await terminal.shows(/Stopped/);
    expect(terminal.cursor().isShown).toBe(true);
    expect(frameLines(terminal.record())).toEqual([]);
    terminal.type('bg');
    terminal.type('echo "still $((40 + 2))"');
    await terminal.shows('still 42');
    terminal.type('fg');
    await terminal.shows(/^\[~\] 1\.2 /m);
    writeFileSync(join(cwd, 'go-on'), '');
    await terminal.shows('run completed');
    await until(
      () => frameLines(terminal.record()),
      (lines) => lines.length === 0,
    );
  });
});

describe.skipIf(!hasTmux).concurrent('a terminal that goes away', patient, () => {
  it('pauses the run, and leaves no one behind', async () => {
    const { cwd, terminal } = run(projectFiles({ ...six, behave: { '1.2': 'hang' } }));
    await terminal.shows(/^\[~\] 1\.2 /m);
    terminal.hangUp();
    await until(
      () => ledgerOf(cwd).report.status,
      (status) => status === 'paused',
    );
    await until(
      () => [...processesIn(cwd), ...processesIn(cwd, mainFile)],
      (left) => left.length === 0,
    );
    expect(ledgerOf(cwd).report.reason).toBe('stopped');
  });
});

describe.skipIf(!hasTmux).concurrent('plain lines', patient, () => {
  it.each([
    ['a terminal that can do nothing', `TERM=dumb ${runCommand}`],
    ['a process in the background', `{ ${runCommand}; } & wait`],
  ])('for %s', async (_what, typed) => {
    const cwd = folder(projectFiles({ waves: [['1.1']], behave: { '1.1': 'hold' } }));
    const terminal = openTerminal(cwd, 100, 24);
    terminal.type(typed);
    await terminal.shows(/^ {2}1\.1 started: Write the file of 1\.1$/m);
    expect(frameLines(terminal.screen())).toEqual([]);
    writeFileSync(join(cwd, 'go-on'), '');
    await terminal.shows('ended with 0');
  });
});

describe.skipIf(!hasTmux).concurrent('a checkpoint, a warning, a fault', patient, () => {
  const program = fileURLToPath(new URL('./watch-program.ts', import.meta.url));
  const watch = (word = '', before = ''): Terminal => {
    const terminal = openTerminal(folder(), 120, 24);
    terminal.type(`${before} "${process.execPath}" ${program} ${word}; echo "ended with $?"`);
    return terminal;
  };

  it.each([
    ['a', 'approve', 'approved'],
    ['r', 'reject', 'rejected'],
  ])('%s twice answers: %s', async (key, word, answered) => {
    const terminal = watch();
    await terminal.shows(/^needs you: divisi approve run_\w+ or divisi reject run_\w+$/m);
    terminal.press(key);
    await terminal.shows(`press ${key} again to ${word}`);
    terminal.press(key);
    await terminal.shows(ended);
    expect(terminal.record()).toEqual(expect.arrayContaining([`checkpoint-1 ${answered}`, 'ended with 0']));
  });

  it('a key that is not pressed again means nothing', async () => {
    const terminal = watch();
    await terminal.shows('a approve: continue the run');
    terminal.press('a');
    await terminal.shows('press a again');
    await terminal.shows('a approve: continue the run');
    terminal.press('a');
    await terminal.shows('press a again');
    terminal.press('C-c');
    await terminal.shows('stopping');
    terminal.press('C-c');
    await terminal.shows(ended);
    expect(terminal.record().join('\n')).not.toMatch(/^checkpoint-1 (approved|rejected)/m);
  });

  it.each([
    ['has colours', '', true],
    ['has none for those who want none', 'NO_COLOR=1', false],
  ])('%s', async (_what, before, isColoured) => {
    const terminal = watch('', before);
    await terminal.shows('a approve: continue the run');
    expect(terminal.styled().includes(`${String.fromCodePoint(27)}[`)).toBe(isColoured);
  });

  it('a warning is shown, and goes to the record', async () => {
    const terminal = watch('warns');
    await terminal.shows('a approve: continue the run');
    expect(terminal.screen()).toContain('divisi: take care');
    terminal.press('C-c');
    await terminal.shows('stopping');
    terminal.press('C-c');
    await terminal.shows(ended);
    expect(terminal.record()).toContain('divisi: take care');
  });

  it('a fault gives the terminal back before it is told', async () => {
    const terminal = watch('breaks');
    await terminal.shows('a approve: continue the run');
    await terminal.shows(/^ended with 1$/m);
    expect(terminal.record().join('\n')).toContain('Error: broken on purpose');
    expect(terminal.cursor().isShown).toBe(true);
    terminal.type('echo "typed $((40 + 2))"');
    await terminal.shows('typed 42');
    expect(frameLines(terminal.record())).toEqual([]);
  });
});
