/** Every command that Divisi suggests works when it is typed: runs of each kind in each state, and whatever is refused in them. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { architectProject, goodPlan } from '../architect/architect-project.ts';
import { featureProject, isNotReady } from '../features/feature-project.ts';
import { commandProject } from '../support/command-project.ts';
import { conducted, type Conducted, delegated, reportOf } from '../support/conducted.ts';
import { divisi } from '../support/divisi.ts';
import { gitProject, type GitSample, startsIn, tell } from '../support/git-project.ts';
import { ledgerOf } from '../support/project.ts';
import { startDivisi, until } from '../support/running.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { briefOf } from '../../src/mcp/brief-of.ts';
import { foldRun } from '../../src/ledger/fold-run.ts';
import { readLedger } from '../../src/project/project-ledger.ts';
import { type Read, typeHints } from './type-hints.ts';

const folder = temporaryFolders();
const patient = { timeout: 600_000 };

/** What people type about a run, and may be refused. */
const usual = ['status', 'list', 'report', 'diff', 'merge', 'resume', 'approve', 'reject', 'cancel', 'update', 'clean'];

/** Texts of the newest run that are no answer of a command. */
function filesOf(project: string): Read[] {
  const ledger = readLedger(project);
  const [row] = ledger.runs();
  if (row === undefined) throw new Error('there is no run');
  const brief = briefOf(foldRun(ledger, row.run));
  ledger.close();
  const files = ['.divisi/MASTER.md', '.divisi/errors.json', `.divisi/runs/${row.run}/summary.md`];
  const read = files.filter((file) => existsSync(join(project, file)));
  return [
    { from: 'brief', text: brief },
    ...read.map((from) => ({ from, text: readFileSync(join(project, from), 'utf8') })),
  ];
}

/** Types all hints; there must be some. */
async function expectAll(project: string, said = '', more: readonly string[] = []): Promise<void> {
  const { run } = ledgerOf(project).report;
  const commands = [...usual, ...more].map((line) => line.replace('RUN', run).split(' '));
  const printed = [{ from: 'the command', text: said }, ...filesOf(project)];
  const { typed, refused } = await typeHints(project, folder(), { commands, printed });
  expect(refused).toEqual([]);
  expect(typed).not.toEqual([]);
}

async function ran(project: string, code: number, ...words: string[]): Promise<string> {
  const { code: got, stdout, stderr } = await divisi(words, { cwd: project });
  expect([got, stdout + stderr]).toEqual([code, expect.any(String)]);
  return stdout + stderr;
}

const planned = (sample: GitSample): string => gitProject(folder(), sample);
const ofTask = ['report 1.1', 'logs 1.1', 'path 1.1', 'diff 1.1', 'verify 1.1', 'resume from task 1.1'];

describe.concurrent('hints of a plan', patient, () => {
  it('that completed', async () => {
    const cwd = planned({ waves: [['1.1']] });
    await expectAll(cwd, await ran(cwd, 0, 'run', 'plan.md'), [...ofTask, 'run plan.md']);
  });

  it('that was merged and cleaned', async () => {
    const cwd = planned({ waves: [['1.1']] });
    await ran(cwd, 0, 'run', 'plan.md');
    await ran(cwd, 0, 'merge');
    await expectAll(cwd, await ran(cwd, 0, 'clean'), [...ofTask, 'run plan.md']);
  });

  it('that waits for an answer about a failure', async () => {
    const cwd = planned({ waves: [['1.1', '1.2']], acts: { '1.2': { exits: 1 } } });
    await expectAll(cwd, await ran(cwd, 5, 'run', 'plan.md'), [...ofTask, 'path 1.2', 'diff 1.2', 'run plan.md']);
  });

  it('that waits at a planned checkpoint', async () => {
    const cwd = planned({ waves: [['1.1'], ['2.1']], settings: ['Reviews: off'] });
    appendFileSync(join(cwd, 'plan.md'), '\n## Checkpoints\n\n- After wave 1: is it right?\n');
    await expectAll(cwd, await ran(cwd, 5, 'run', 'plan.md'), ofTask);
  });

  it('that failed', async () => {
    const cwd = planned({ waves: [['1.1', '1.2']], acts: { '1.2': { exits: 1 } } });
    const said = await ran(cwd, 1, 'run', 'plan.md', '--on-trouble', 'reject');
    await expectAll(cwd, said, [...ofTask, 'run plan.md', 'path 1.2']);
  });

  it('that was cancelled with ticked work', async () => {
    const cwd = planned({ waves: [['1.1', '1.2']], acts: { '1.2': { exits: 1 } } });
    await ran(cwd, 5, 'run', 'plan.md');
    await expectAll(cwd, await ran(cwd, 0, 'cancel'), [...ofTask, 'run plan.md', 'run plan.md --marks branch']);
  });

  it('whose process was killed', async () => {
    const cwd = planned({ waves: [['1.1', '1.2']], acts: { '1.2': { afterStart: 'never 1' } } });
    const running = startDivisi(['run', 'plan.md'], { cwd });
    await until(
      () => [...startsIn(cwd), running.stdout()].join('\n'),
      (said) => said.includes('1.2 1') && said.includes('1.1 completed'),
    );
    running.kill('SIGKILL');
    await running.ended;
    tell(cwd, {});
    await expectAll(cwd, '', [...ofTask, 'run plan.md']);
  });
});

describe.concurrent('hints of a workflow', patient, () => {
  it('a task command that completed, and one that failed', async () => {
    const cwd = commandProject(folder(), { behave: { '13 1': 'failed', '13 2': 'failed', '13 3': 'failed' } });
    const said = await ran(cwd, 0, 'research', '12');
    await expectAll(cwd, said, ['research 12', 'plan 12', 'task list', 'task show 12', 'implement 12']);
    const { stdout, stderr } = await divisi(['research', '13'], { cwd });
    await expectAll(cwd, stdout + stderr, ['research 13', 'task show 13']);
  });

  it('an architect that wrote a plan', async () => {
    const { cwd } = architectProject(folder(), [{ writes: goodPlan }]);
    await expectAll(cwd, await ran(cwd, 0, 'plan', 'people can choose a dark theme'), []);
  });

  it('features that are halted', async () => {
    const cwd = featureProject(folder, { 'auth.1.gate': isNotReady, 'auth.1.review': isNotReady });
    const { stdout, stderr } = await divisi(['feature', 'auth'], { cwd });
    await expectAll(cwd, stdout + stderr, ['feature auth']);
  });
});

async function contractBroken(run: Conducted): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) {
    if ((await run.state()).checkpoints.length > 0) return;
    const { agent } = await delegated(run, '1.1', 'src/a.txt');
    for (let stops = 0; stops < 4; stops += 1)
      await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: 'done' });
  }
}

async function workedOn(run: Conducted, task: string, file: string): Promise<void> {
  const { agent } = await delegated(run, task, file);
  await run.hook('SubagentStop', { agent_id: agent, last_assistant_message: reportOf(run.run, task, file) });
}

describe.concurrent('hints of a conducted run', patient, () => {
  it('that has a task done and one at work', async () => {
    const run = await conducted(folder());
    await workedOn(run, '1.1', 'src/a.txt');
    await delegated(run, '1.2', 'src/b.txt');
    await expectAll(run.project, '', [...ofTask, 'diff 1.2']);
  });

  it('that waits for an answer about work without a return', async () => {
    const run = await conducted(folder());
    await contractBroken(run);
    expect((await run.state()).checkpoints).toMatchObject([{ kind: 'failure' }]);
    await expectAll(run.project, '', ofTask);
  });

  it('that was paused', async () => {
    const run = await conducted(folder());
    await workedOn(run, '1.1', 'src/a.txt');
    await expectAll(run.project, await ran(run.project, 0, 'pause'), ['status --delegations', ...ofTask]);
  });
});
