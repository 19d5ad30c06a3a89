/** The same command continues an interrupted one: after a time-out, a pause, a failed phase. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resumeRun, stopRun } from '../../src/runtime/runtime.ts';
import type { RunOptions } from '../../src/scheduler/agent-run.ts';
import { readLedger } from '../../src/project/project-ledger.ts';
import type { RunRow } from '../../src/ledger/run-rows.ts';
import {
  agentStarts,
  taskListOf,
  commandProject,
  give,
  stateIn,
  statusIn,
  tellAgent,
  todoOf,
  uncommitted,
  viewCommits,
} from '../support/command-project.ts';
import { temporaryFolders } from '../support/temporary-folder.ts';
import { environment, divisi } from '../support/divisi.ts';

const newFolder = temporaryFolders();
const plan = '.divisi/specs/12_add_a_login/plans/implementation-001.md';
const phases =
  '# Plan\n\n## Phase 1: Read\n\n- [ ] a\n\n## Phase 2: Write\n\n- [ ] b\n\n## Phase 3: Check\n\n- [ ] c\n';
const planned = { files: { 'TODO.md': todoOf('general', 'PLANNED'), [plan]: phases } };
const planIn = (project: string): string => readFileSync(join(project, plan), 'utf8');

function newestRun(project: string): RunRow {
  const ledger = readLedger(project);
  const [row] = ledger.runs();
  ledger.close();
  if (row === undefined) throw new Error('there is no run');
  return row;
}

const options = (project: string): Parameters<typeof stopRun>[2] => ({
  project,
  environment: environment(project),
  command: 'divisi resume',
  seen: () => undefined,
  warn: () => undefined,
});

/** Presses Ctrl-C while the nth agent runs. */
function pauseAtStart(nth: number): Pick<RunOptions, 'controls' | 'seen'> {
  let [stop, started] = [(): void => undefined, 0];
  return {
    controls: (controls) => {
      stop = () => controls.stop('pause');
    },
    seen: (event) => {
      started += event.kind === 'delegation.started' ? 1 : 0;
      if (event.kind === 'delegation.started' && started === nth) stop();
    },
  };
}

describe('a time-out', () => {
  it('leaves the task partial, says what exists, and the same command continues it', async () => {
    const project = commandProject(newFolder(), { behave: { '12 1': 'hang' } });
    const { answer, report } = await give(project, 'research', { timeout: 1 });
    expect([answer.code, report.end, report.status]).toEqual([3, 'partial', 'partial']);
    expect([statusIn(project), stateIn(project)]).toEqual(['PARTIAL', 'partial']);
    const left = report.trouble?.folder ?? '';
    expect(existsSync(join(left, '.divisi/specs/12_add_a_login/reports/research-001.md'))).toBe(true);
    expect(answer.text).toContain(`unmerged work: ${left}`);
    expect(answer.text).toContain('divisi research 12 continues from what is there');
    await expect(give(project, 'research', { timeout: 7201 })).rejects.toMatchObject({ code: 'DELEGATION_REFUSED' });
    const again = await give(project, 'research', { timeout: 120 });
    const [time] = again.events.flatMap((one) => (one.kind === 'delegation.registered' ? [one.deadline - one.at] : []));
    expect(Math.round((time ?? 0) / 1000)).toBe(120);
    expect(again.report).toMatchObject({ run: report.run, end: 'completed', status: 'researched' });
    expect(agentStarts(project)).toEqual(['12 1 researcher', '12 2 researcher']);
    expect(uncommitted(project)).toEqual([]);
  });
});

describe('an implementation by phases', () => {
  it('keeps finished phases and continues with the first open one', async () => {
    const project = commandProject(newFolder(), { behave: { '12.2 1': 'hang' }, ...planned });
    const first = await give(project, 'implement', { timeout: 1 });
    expect([first.answer.code, first.report.status]).toEqual([3, 'partial']);
    expect(first.report.phases).toEqual({ done: ['12.1'], open: ['12.2', '12.3'] });
    expect(readFileSync(join(project, 'work.txt'), 'utf8')).toBe('12.1\n');
    expect(planIn(project)).toBe(
      phases
        .replace('1: Read', '1: Read [COMPLETED]')
        .replace('[ ] a', '[x] a')
        .replace('2: Write', '2: Write [PARTIAL]'),
    );
    expect([statusIn(project), viewCommits(project), uncommitted(project)]).toEqual([
      'PARTIAL',
      ['12 partial: Add a login'],
      [],
    ]);
    const { report } = await give(project, 'implement');
    expect(report).toMatchObject({ run: first.report.run, status: 'completed' });
    expect(agentStarts(project).map((line) => line.slice(0, 6))).toEqual(['12.1 1', '12.2 1', '12.2 2', '12.3 1']);
    // What the phase had begun with was carried on.
    expect(readFileSync(join(project, 'work.txt'), 'utf8')).toBe('12.1\n12.2\n12.2\n12.3\n');
    expect(planIn(project).match(/\[COMPLETED\]/g)).toHaveLength(3);
    expect([statusIn(project), viewCommits(project)[0], uncommitted(project)]).toEqual([
      'COMPLETED',
      '12 completed: Add a login',
      [],
    ]);
  });

  it('is different work where the plan was edited, and marks nothing that was not done', async () => {
    const project = commandProject(newFolder(), { behave: { '12.2 1': 'hang' }, ...planned });
    const first = await give(project, 'implement', { timeout: 1 });
    expect(first.report.status).toBe('partial');
    const edited = planIn(project)
      .replace('## Phase 3: Check', '## Phase 4: Check')
      .replace(/## Phase 2: Write.*\n/, '## Phase 2: Ask\n\n- [ ] new\n\n## Phase 3: Write\n');
    writeFileSync(join(project, plan), edited);
    tellAgent(project, {});
    const { report } = await give(project, 'implement');
    expect([report.run === first.report.run, report.status]).toEqual([false, 'completed']);
    expect(agentStarts(project).map((line) => line.split(' ')[0])).toEqual(['12.1', '12.2', '12.2', '12.3', '12.4']);
    expect(planIn(project).match(/\[COMPLETED\]/g)).toHaveLength(4);
  });

  it('refuses a plan in which two phases have the same number', async () => {
    const twice = { files: { ...planned.files, [plan]: phases.replace('Phase 3', 'Phase 2') } };
    const project = commandProject(newFolder(), twice);
    await expect(give(project, 'implement')).rejects.toMatchObject({ code: 'PLAN_INVALID' });
    expect([statusIn(project), agentStarts(project)]).toEqual(['PLANNED', []]);
  });

  it('starts with the first unmarked phase', async () => {
    const marked = { ...planned.files, [plan]: phases.replace('1: Read', '1: Read [COMPLETED]') };
    const project = commandProject(newFolder(), { files: marked, behave: { '12.3 1': 'never' } });
    const first = await give(project, 'implement');
    expect([first.answer.code, first.report.end, first.report.status]).toEqual([1, 'invalid', 'partial']);
    expect(existsSync(join(project, '.divisi/errors.json'))).toBe(true);
    // A plan that was revised since is other work.
    tellAgent(project, {});
    await give(project, 'revise');
    const { report } = await give(project, 'implement');
    expect([report.status, report.run === first.report.run]).toEqual(['completed', false]);
    expect(agentStarts(project).map((line) => line.split(' ')[0])).toEqual(['12.2', '12.3', '12', '12.1', '12.2']);
  });

  it('is not ended by another command while it has unmerged work', async () => {
    const project = commandProject(newFolder(), { behave: { '12.2 1': 'hang' }, ...planned });
    await give(project, 'implement', {}, pauseAtStart(2));
    await expect(give(project, 'revise')).rejects.toMatchObject({
      code: 'RUN_UNFINISHED',
      message: expect.stringContaining('has work that is not in your checkout'),
    });
    tellAgent(project, {});
    expect((await give(project, 'implement')).report.status).toBe('completed');
  });

  it('keeps phases marked as done that were merged before it was cancelled', async () => {
    const project = commandProject(newFolder(), { behave: { '12.2 1': 'hang' }, ...planned });
    await give(project, 'implement', {}, pauseAtStart(2));
    const { run } = newestRun(project);
    expect((await divisi(['merge', run, '--yes'], { cwd: project })).code).toBe(0);
    await stopRun(newestRun(project), 'cancel', options(project));
    expect([statusIn(project), planIn(project).match(/\[COMPLETED\]/g)?.length]).toEqual(['PARTIAL', 1]);
    tellAgent(project, {});
    expect((await give(project, 'implement')).report.status).toBe('completed');
    expect(agentStarts(project).map((line) => line.split(' ')[0])).toEqual(['12.1', '12.2', '12.2', '12.3']);
  });
});

describe('an earlier command', () => {
  it('is not resumed while another command on the same task is unfinished', async () => {
    const project = commandProject(newFolder(), { behave: { '12 1': 'failed' } });
    await give(project, 'research');
    const failed = newestRun(project);
    tellAgent(project, { '12 1': 'hang' });
    await give(project, 'plan', {}, pauseAtStart(1));
    await expect(resumeRun(failed, options(project))).rejects.toMatchObject({ code: 'RUN_UNFINISHED' });
    expect(statusIn(project)).toBe('PLANNING');
  });
});

describe('a command that was stopped', () => {
  it('is resumed by its run as well, and says so in the task list', async () => {
    const project = commandProject(newFolder(), { behave: { '12 1': 'hang' } });
    const paused = await give(project, 'research', { prompt: 'Look.' }, pauseAtStart(1));
    expect([paused.answer.code, statusIn(project)]).toEqual([3, 'RESEARCHING']);
    tellAgent(project, {});
    const state = await resumeRun(newestRun(project), options(project));
    expect([state.status, statusIn(project), viewCommits(project)]).toEqual([
      'completed',
      'RESEARCHED',
      ['12 researched: Add a login'],
    ]);
  });

  it('restores its task when it is cancelled, even without a running process', async () => {
    const project = commandProject(newFolder(), { behave: { '12 1': 'hang' } });
    await give(project, 'research', {}, pauseAtStart(1));
    await stopRun(newestRun(project), 'cancel', options(project));
    expect([statusIn(project), stateIn(project), taskListOf(project)?.status]).toEqual([
      'NOT STARTED',
      'not_started',
      'not started',
    ]);
  });

  it.each([
    ['another prompt', { prompt: 'Something else.' }],
    ['--new', { isNew: true }],
  ])('starts over with %s', async (_, request) => {
    const project = commandProject(newFolder(), { behave: { '12 1': 'partial' } });
    const first = await give(project, 'research');
    tellAgent(project, {});
    const { report } = await give(project, 'research', request);
    expect([report.status, report.run === first.report.run]).toEqual(['researched', false]);
  });
});
