/** A description becomes a plan: written by an agent, checked by code, kept, shown; and what becomes of it then. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changedOn, checkoutOf } from '../support/git-project.ts';
import { eventsOf, ledgerOf } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { hasTerminal, typeTo } from '../support/on-terminal.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { divisi } from '../support/divisi.ts';
import { architectProject, goodName, goodPlan } from './architect-project.ts';
import { stateFolder } from '../../src/workspace/places.ts';

const folder = temporaryFolders();
const patient = { timeout: 120_000 };
const wish = 'give the page a dark theme';
const kept = `.divisi/plans/${goodName}`;
/** What the command of the plan leaves behind. */
const proof = {
  'tools/proof.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.HOME + '/proved.log', '');\n",
};
const proved = (cwd: string): boolean => existsSync(join(cwd, 'proved.log'));

describe.concurrent('divisi plan "…"', patient, () => {
  it('shows the plan, keeps it, and begins nothing', async () => {
    const { cwd, plans, heard, worked } = architectProject(folder(), [{ writes: goodPlan }]);
    const before = checkoutOf(cwd);
    const { code, stdout } = await divisi(['plan', wish], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        'wave 1 Colours (pending)',
        '  [ ] 1.1 Name the colours (fast, worker)',
        '      scope: src/1.1.txt',
        '      accept (command): `node tools/proof.mjs`',
        '  review (deep)',
        '  checkpoint (coming): are the colours right?',
        '',
        'wave 2 Switch (pending)',
        '  [ ] 2.1 Add the switch (standard, worker)',
        '      scope: src/2.1.txt',
        '      accept: it is there',
        '  review (deep)',
        '',
        'risks',
        '  The old colours are used elsewhere.',
        '',
        'commands the plan runs on this machine once you approve',
        '  node tools/proof.mjs',
        '',
        `nothing was started. Edit ${kept} if you like; then: divisi run ${kept}`,
        '',
      ].join('\n'),
    );
    expect(plans()).toEqual([goodName]);
    expect(readFileSync(join(cwd, kept), 'utf8')).toBe(goodPlan);
    expect(heard()[0]).toContain(`in the person's words:\n\n${wish}\n`);
    expect(heard()[0]).toMatch(/Write it to \.divisi\/runs\/run_\w+\/reports\/wave-1\/task-plan\.md first\./);
    expect(worked()).toEqual([]);
    expect(checkoutOf(cwd)).toEqual(before);
    // Work like it is found from now on.
    expect((await divisi(['plan', wish], { cwd })).stderr).toContain(`${kept} (no run yet)`);
  });

  it('ends with one line about the plan for programs', async () => {
    const { cwd } = architectProject(folder(), [{ writes: goodPlan }]);
    const { code, stdout } = await divisi(['plan', wish, '--json'], { cwd });
    expect(code).toBe(0);
    const events = eventsOf(stdout);
    expect(events[0]?.kind).toBe('run.created');
    expect(events.at(-1)).toMatchObject({
      kind: 'plan.proposed',
      file: kept,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
      commands: [['node', 'tools/proof.mjs']],
      risks: ['The old colours are used elsewhere.'],
      plan: { waves: [{ wave: 1 }, { wave: 2 }], checkpoints: [{ afterWave: 1 }] },
    });
  });

  it('sends a plan back with all that is wrong with it, at most twice', async () => {
    const faulty = goodPlan
      .replace('`src/1.1.txt`', '-')
      .replace('worker', 'wizard')
      .replace('Scope: src/2.1.txt', 'Deps: 7.7');
    const better = goodPlan.replace('  - Accept: it is there\n', '');
    const { cwd, heard, turns } = architectProject(folder(), [
      { writes: faulty },
      { writes: better },
      { writes: goodPlan },
    ]);
    const { code, stdout } = await divisi(['plan', wish], { cwd });
    expect(code).toBe(0);
    expect(turns()).toEqual(['asked', 'repair', 'repair']);
    const listed = (heard()[1] ?? '').split('\n').filter((line) => line.startsWith('- '));
    expect(listed.map((line) => line.replace(/; known: .*$/, ''))).toEqual([
      '- line 13: 1.1 has no scope; name the files or folders it may change',
      '- line 13: 1.1 names an unknown agent, "wizard"',
      '- line 17: 2.1 waits for 7.7, which is not in the plan',
      '- line 17: 2.1 has no scope; name the files or folders it may change',
    ]);
    expect((heard()[2] ?? '').split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- line 17: 2.1 has no acceptance criterion; state how to tell that it is done',
    ]);
    expect(stdout).toContain('after 2 repairs');
  });

  it('gives up on one that never holds, says what is wrong, and tries again when resumed', async () => {
    const bad = goodPlan.replace('## Checkpoints', '## Settings\n\n- Command: node evil.mjs\n\n## Checkpoints');
    const { cwd, plans, turns } = architectProject(folder(), [
      { writes: bad },
      { writes: bad },
      { writes: bad },
      { writes: goodPlan },
    ]);
    const { code, stdout } = await divisi(['plan', wish], { cwd });
    const { run } = ledgerOf(cwd).report;
    expect(code).toBe(1);
    expect(stdout).toContain(
      [
        `${run}: no plan: the architect's plan is invalid`,
        '  line 7: command is set; only a person decides what runs the agents; remove it',
        `report: .divisi/runs/${run}/reports/wave-1/task-plan.md`,
        `divisi resume ${run} tries again`,
        '',
      ].join('\n'),
    );
    expect(plans()).toEqual([]);
    const again = await divisi(['resume', run], { cwd });
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(`then: divisi run ${kept}\n`);
    expect(turns()).toEqual(['asked', 'repair', 'repair', 'asked']);
  });

  it('shows the questions of one that does not know what is meant', async () => {
    const { cwd, plans } = architectProject(folder(), [
      { writes: 'I cannot plan this.\n', status: 'blocked' },
      { writes: '# Questions\n\n- Which page?\n- Which \u001b[31mcolours?\n', status: 'blocked' },
    ]);
    const { code, stdout } = await divisi(['plan', 'make it better'], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('repair 1 of 2: the file: has no questions;');
    expect(stdout).toContain(
      [
        'The architect needs to know more before it can plan "make it better":',
        '  1  Which page?',
        '  2  Which [31mcolours?',
        '',
        'Run it again with the answers: divisi plan "…"',
        '',
      ].join('\n'),
    );
    expect(plans()).toEqual([]);
  });

  it('says so where the architect gives up', async () => {
    const { cwd } = architectProject(folder(), [{ writes: 'I cannot.\n', status: 'failed' }]);
    const { code, stdout } = await divisi(['plan', wish], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain(': no plan: the architect reports failed\nreport: .divisi/runs/');
  });

  it('takes a plan only from the file that was handed out', async () => {
    const { cwd, heard } = architectProject(folder(), [
      { edits: { '.divisi/plans/own.md': goodPlan }, path: '.divisi/plans/own.md' },
      { writes: goodPlan, edits: { '.divisi/plans/own.md': '' } },
    ]);
    await divisi(['plan', wish], { cwd });
    expect(heard()[1]).toContain(
      '- the path: is ".divisi/plans/own.md"; write the plan to the file you were given, and return its path\n',
    );
  });

  it('asks no architect that returns something else than a plan', async () => {
    const file = '.divisi/agents/architect.md';
    const { cwd, turns } = architectProject(folder(), [{ writes: goodPlan }], {
      [file]: '---\nname: architect\ncontract: worker-report\n---\nYou plan what is asked for, and nothing else.\n',
    });
    const { code, stderr } = await divisi(['plan', wish], { cwd });
    expect({ code, turns: turns() }).toEqual({ code: 2, turns: [] });
    expect(stderr).toContain(`${file}: the architect has the contract worker-report [AGENT_FILE_INVALID]`);
  });

  it('merges nothing of an architect that changes the project, and takes no plan from it', async () => {
    const { cwd, plans } = architectProject(folder(), [
      { writes: goodPlan, edits: { 'src/a.txt': 'mine\n', 'b.txt': 'new\n' } },
    ]);
    const { code, stdout } = await divisi(['plan', wish], { cwd });
    expect(code).toBe(1);
    expect(stdout).toContain('changed files outside the scope .divisi/runs: b.txt, src/a.txt');
    expect(changedOn(cwd)).toEqual([]);
    expect(readFileSync(join(cwd, 'src/a.txt'), 'utf8')).toBe('one\n');
    expect(plans()).toEqual([]);
  });
});

describe.concurrent('divisi run "…"', patient, () => {
  it('starts nothing if no person can approve it', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: goodPlan }]);
    const { code, stdout } = await divisi(['run', wish], { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain(`nothing was started: a person must approve it first. Then: divisi run ${kept}\n`);
    expect(worked()).toEqual([]);
  });

  it('only shows it in plan mode, and records nothing of it', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: goodPlan }]);
    const { code, stdout } = await divisi(['run', wish, '--mode', 'plan'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('nothing was started.');
    expect(worked()).toEqual([]);
    const { code: refused, stderr } = await divisi(['run', 'another thing', '--new', '--record', 'x.json'], { cwd });
    expect(refused).toBe(2);
    expect(stderr).toContain('--record needs an existing plan');
  });

  it('runs it in auto mode, without commands that no person has seen', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: goodPlan }], proof);
    const { code, stdout } = await divisi(['run', wish, '--mode', 'auto'], { cwd });
    expect(stdout).toContain('not approved: its own commands are not run\n');
    expect(code).toBe(0);
    expect(worked()).toEqual(['1.1', '2.1']);
    expect(proved(cwd)).toBe(false);
    expect(ledgerOf(cwd).events.map(({ kind }) => kind)).not.toContain('plan.confirmed');
  });

  it('is still not confirmed when it is found again by what it is about', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: goodPlan }], proof);
    await divisi(['plan', wish], { cwd });
    const found = await divisi(['run', wish, '--resume'], { cwd });
    expect([found.code, worked()]).toEqual([5, []]);
    expect(found.stdout).toContain('nothing was started: a person must approve it first.');
    expect((await divisi(['run', wish, '--resume', '--mode', 'auto'], { cwd })).code).toBe(0);
    expect([worked(), proved(cwd)]).toEqual([['1.1', '2.1'], false]);
    expect(ledgerOf(cwd).events.map(({ kind }) => kind)).not.toContain('plan.confirmed');
  });

  it.skipIf(!hasTerminal)('runs what a person says yes to, and exactly that', async () => {
    const { cwd, worked } = architectProject(
      folder(),
      [{ writes: goodPlan.replace(/## Checkpoints[^#]*/, '') }],
      proof,
    );
    const { code, shown } = await typeTo(['run', wish], cwd, ['1\r']);
    expect(shown).toContain(`The plan is in ${kept}.\r\n  1  run it\r\n  2  edit it first\r\n  q  quit\r\n`);
    expect(code).toBe(0);
    expect(worked()).toEqual(['1.1', '2.1']);
    expect(proved(cwd)).toBe(true);
    expect(ledgerOf(cwd).events.map(({ kind }) => kind)).toContain('plan.confirmed');
  });

  it.skipIf(!hasTerminal)('shows it again where it was changed before the yes', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: goodPlan }]);
    const change = (): string => {
      writeFileSync(join(cwd, kept), goodPlan.replace('Name the colours', 'Name all colours'));
      return '1\r';
    };
    const { code, shown } = await typeTo(['run', wish], cwd, [change, 'q\r']);
    const [before = '', after = ''] = shown.split('the plan was changed meanwhile; it is now:');
    expect(before).toContain('1.1 Name the colours');
    expect(after).toContain('1.1 Name all colours');
    expect(code).toBe(4);
    expect(worked()).toEqual([]);
  });

  it.skipIf(!hasTerminal)('leaves it to be edited', async () => {
    const { cwd, worked } = architectProject(folder(), [{ writes: goodPlan }]);
    const { code, shown } = await typeTo(['run', wish], cwd, ['2\r']);
    expect(code).toBe(0);
    expect(shown).toContain(`nothing was started. Edit ${kept}; then: divisi run ${kept}`);
    expect(worked()).toEqual([]);
  });

  it.skipIf(!hasTerminal)('asks for answers, and plans with them', async () => {
    const { cwd, heard, turns } = architectProject(folder(), [
      { writes: '- Which page?\n- Which colours?\n', status: 'blocked' },
      { writes: goodPlan },
    ]);
    const { code, shown } = await typeTo(['run', 'make it better'], cwd, ['the start page\r', '\r', 'q\r']);
    expect(shown).toContain('2  Which colours?');
    expect(turns()).toEqual(['asked', 'asked']);
    expect(heard()[1]).toContain(
      "make it better\n\nQuestions about it, with the person's answers:\n- Which page?\n  the start page\n\n",
    );
    expect(shown).toContain(`nothing was started. To run it later: divisi run ${kept}`);
    expect(code).toBe(4);
  });
});

describe.concurrent('an architect whose Divisi is gone', patient, () => {
  it('is asked again by resume, which ends where it would have', async () => {
    const { cwd, turns, goOn, plans } = architectProject(folder(), [{ writes: goodPlan, holds: true }]);
    const running = startDivisi(['plan', wish], { cwd });
    await until(turns, (seen) => seen.length === 1);
    running.kill('SIGKILL');
    await running.ended;
    goOn();
    const { run } = ledgerOf(cwd).report;
    const { code, stdout } = await divisi(['resume', run], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(`then: divisi run ${kept}\n`);
    expect(plans()).toEqual([goodName]);
    // And once more: it is the same plan, whether that was noted or not, edited or not.
    const note = join(stateFolder(cwd), 'runs', run, 'plan.json');
    for (const gone of [[note], [note, join(cwd, '.divisi/plans')]]) {
      for (const path of gone) rmSync(path, { recursive: true });
      expect((await divisi(['resume', run], { cwd })).code).toBe(0);
      expect(plans()).toEqual([goodName]);
    }
    writeFileSync(join(cwd, kept), goodPlan.replace('Name the colours', 'Name all colours'));
    const again = await divisi(['resume', run], { cwd });
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('1.1 Name all colours');
    expect(plans()).toEqual([goodName]);
  });

  it('is paused by Ctrl-C', async () => {
    const { cwd, turns } = architectProject(folder(), [{ writes: goodPlan, holds: true }]);
    const running = startDivisi(['plan', wish], { cwd });
    await until(turns, (seen) => seen.length === 1);
    running.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(3);
    expect(stdout).toContain(`divisi resume ${ledgerOf(cwd).report.run}`);
  });
});
