/** Changes while a run is watched: its plan, its reviews, its limits. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOf, planText, projectFiles, startsOf } from '../support/project.ts';
import { processesIn, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { hasTmux } from '../support/terminal.ts';
import { frameLines, runInTerminal } from './run-in-terminal.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };

/** Waits until it is told to, then finds something the first time. */
const reviewer = `
while [ ! -e "$HOME/look-$DIVISI_TASK" ]; do sleep 0.02; done
echo '# Review' > "$DIVISI_REPORT_PATH"
case $DIVISI_TASK in
  wave-1:review) echo "HIGH|fix-the-totals|$DIVISI_REPORT_PATH";;
  *) echo "LOW|nothing-to-do|$DIVISI_REPORT_PATH";;
esac
`;

describe.skipIf(!hasTmux).concurrent('while it runs', patient, () => {
  it('a task that a person adds to the plan is shown, recorded and done', async () => {
    const cwd = folder(projectFiles({ waves: [['1.1'], ['2.1']], behave: { '1.1': 'hold' } }));
    const file = join(cwd, 'plan.md');
    const terminal = runInTerminal(cwd);
    await terminal.shows(/\] \d:\d\d {2}0 of 2, 1 running, 1 waiting$/m);
    await until(
      () => readFileSync(file, 'utf8'),
      (text) => text.includes('| 1.1 | Write the file of 1.1 | [~] |'),
    );
    const row = '| 1.1 | Write the file of 1.1 | [~] | - |\n';
    writeFileSync(file, readFileSync(file, 'utf8').replace(row, `${row}| 1.2 | Count the rows | [ ] | 1.1 |\n`));
    await terminal.shows(/^\[ \] 1\.2 Count the rows +standard pending +waiting for 1\.1$/m);
    const screen = terminal.screen().join('\n');
    expect(screen).toMatch(/^plan plan\.md was edited$/m);
    expect(screen).toMatch(/^plan edit applied: 1\.2 added$/m);
    expect(screen).toMatch(/\] \d:\d\d {2}0 of 3, 1 running, 2 waiting$/m);
    expect(screen).toMatch(/^wave 1 of 2 Part 1: 0 of 2$/m);
    writeFileSync(join(cwd, 'go-on'), '');
    await terminal.shows('ended with 0');
    expect(startsOf(cwd)).toEqual(['1.1 1', '1.2 1', '2.1 1']);
    const record = terminal.record();
    expect(record.filter((line) => line === 'plan edit applied: 1.2 added')).toHaveLength(1);
    expect(record).toContain('  1.2 started: Count the rows');
    expect(frameLines(record)).toEqual([]);
  });

  it('a wave shows its review, what is fixed after it, and the next review', async () => {
    const files = { 'reviewer.sh': reviewer };
    const cwd = folder(projectFiles({ review: 'sh reviewer.sh', behave: { 'wave-1:fix': 'hold' }, files }));
    const terminal = runInTerminal(cwd);
    await terminal.shows(/^wave 1 of 1 Part 1: reviewing, 1 of 1$/m);
    await terminal.shows(/^\[~\] wave-1:review +Review wave 1 +deep +running +0:\d\d/m);
    expect(terminal.screen().join('\n')).toMatch(/^\[x\] 1\.1 +Write the file of 1\.1 /m);
    writeFileSync(join(cwd, 'look-wave-1:review'), '');
    await terminal.shows(/^wave 1 of 1 Part 1: fixing, 1 of 1$/m);
    await terminal.shows(/^\[~\] wave-1:fix +Fix what wave-1:rev/m);
    expect(terminal.screen().join('\n')).toMatch(/^\[x\] wave-1:review .* HIGH: fix-the-totals$/m);
    writeFileSync(join(cwd, 'go-on'), '');
    await terminal.shows(/^wave 1 of 1 Part 1: reviewing, 1 of 1$/m);
    await terminal.shows(/^\[~\] wave-1:review-2 +Review wave 1/m);
    writeFileSync(join(cwd, 'look-wave-1:review-2'), '');
    await terminal.shows('ended with 0');
    expect(frameLines(terminal.record())).toEqual([]);
  });

  it('a terminal that closes pauses the run, and no process is left', async () => {
    const cwd = folder(projectFiles({ behave: { '1.1': 'hang' } }));
    const terminal = runInTerminal(cwd);
    await terminal.shows(/^\[~\] 1\.1 /m);
    terminal.hangUp();
    await until(
      () => ledgerOf(cwd).report.status,
      (status) => status === 'paused',
    );
    expect(processesIn(cwd)).toEqual([]);
  });

  it('a quota is waited for with its time, and then it continues by itself', async () => {
    const cwd = folder({
      'scenario.yaml': `tasks:
  "1.1":
    - turns: [{ fail: quota, retry_after: 2 }]
    - turns: [{ hang: true }]
`,
      '.divisi/config.yaml': 'grace: 0\n',
      'plan.md': planText().replace(/- Command[^]*?\n\n/, '- Driver: scripted\n- Scenario: scenario.yaml\n\n'),
    });
    const terminal = runInTerminal(cwd);
    await terminal.shows(/^waiting for quota, 0:0[12] left; continues automatically$/m);
    const screen = terminal.screen().join('\n');
    expect(screen).toMatch(/^\[ \] 1\.1 .* pending +waiting for quota/m);
    expect(screen).toMatch(/^ {2}1\.1 waiting for quota until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/m);
    await terminal.shows(/^\[~\] 1\.1 .* running +0:\d\d/m);
    expect(terminal.screen().join('\n')).not.toContain('continues automatically');
    terminal.press('C-c');
    await terminal.shows('ended with 3');
  });
});
