import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import { openCheckpoints, type RunState } from '../../core/state/state.ts';
import type { TaskState } from '../../core/state/task-state.ts';
import type { Verification } from '../../core/event/verification.ts';
import { checkpointQuestion } from './checkpoint-question.ts';
import { questionText } from './question-text.ts';
import { proofLines, proofText } from './proof-text.ts';
import { type RunReport, runReport } from './run-report.ts';
import { runSummary } from './run-summary.ts';
import { statusText } from './status-text.ts';
import { summaryText } from './summary-text.ts';

const escape = String.fromCodePoint(27);
const control = /[\p{Cc}--\n]/v;
const hostile = `# not a heading\n- [x] a.ts ${escape}[2J <b>`;

const degraded: Verification = {
  verdict: 'degraded',
  base: 'b',
  commit: 'c',
  changes: [{ path: 'src/a.ts', change: 'edited', blob: 'x' }],
  changed: 1,
  linesAdded: 10,
  linesDeleted: 3,
  findings: [{ kind: 'changed-unclaimed', rejects: false, fact: `changed but not reported: ${hostile}`, paths: [] }],
  commands: [
    { argv: ['npm', 'test'], from: 'plan', ok: true, end: 'exit code 0', milliseconds: 1200, output: 'x.txt' },
  ],
  milliseconds: 1300,
};

const rejected: Verification = {
  ...degraded,
  verdict: 'rejected',
  findings: [
    { kind: 'claimed-unchanged', rejects: true, claim: `created ${hostile}`, fact: 'it is not there', paths: [] },
    ...degraded.findings,
  ],
  commands: [{ argv: ['npm', 'test'], from: 'plan', ok: false, end: 'exit code 1', milliseconds: 90, tail: 'x' }],
};

function taskOf(state: RunState, id: string): TaskState {
  const task = state.tasks.get(id);
  if (task === undefined) throw new Error(`there is no ${id}`);
  return task;
}

/** One task whose work was accepted, one whose work was refused and that a person is asked about. */
function sample(): RunState {
  const state = createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }]]), 2, true);
  happen(state, { kind: 'run.started', command: 'a test' });
  advance(state);
  end(state, '1.1', 'completed', { degraded: ['recovered', 'changed-unclaimed'] });
  end(state, '1.2', 'blocked', { failure: { class: 'unclear', message: 'refused' } });
  advance(state);
  Object.assign(taskOf(state, '1.1').attempt ?? {}, { verification: degraded, commit: 'c' });
  Object.assign(taskOf(state, '1.2').attempt ?? {}, { verification: rejected });
  return state;
}

/** As the last failure of the second task is another one. */
function failedBy(state: RunState, kind: 'verification-failed' | 'conflict'): RunState {
  const task = taskOf(state, '1.2');
  const { progress } = task;
  if (progress.status !== 'ended' || progress.outcome.status === 'completed') throw new Error('it has not failed');
  task.progress = { ...progress, outcome: { ...progress.outcome, failure: { class: kind, message: 'refused' } } };
  return state;
}

it('of work whose checks cannot run: no verdict, and what a person has to do', () => {
  const environment = '`npm test` cannot run in a room (exit code 127); install it';
  expect(proofText({ ...rejected, environment })).toBe(`not checked (environment): 1 file +10 −3; ${environment}`);
});

describe('what was verified', () => {
  it('in a few words, and in full', () => {
    expect(proofText(degraded)).toBe('degraded (changed-unclaimed): 1 file +10 −3, checks 1/1');
    expect(proofText({ ...degraded, verdict: 'verified', changed: 0, findings: [], commands: [] })).toBe(
      'verified: nothing changed',
    );
    const commands = degraded.commands.map((one) => ({ ...one, argv: ['sh', '-c', 'test -f x'] }));
    expect(proofLines({ commands, findings: [] })).toEqual(["`sh -c 'test -f x'` passed in 1.2 s"]);
    expect(proofLines(rejected)).toEqual([
      '`npm test` failed in 90 ms: exit code 1',
      'claimed-unchanged – claimed: created # not a heading - [x] a.ts [2J <b>; found: it is not there',
      'changed-unclaimed – changed but not reported: # not a heading - [x] a.ts [2J <b>',
    ]);
  });

  it('stands in the status, with the other reasons for a look once', () => {
    const text = statusText(runReport(failedBy(sample(), 'verification-failed')), 0);
    expect(text).toContain(
      '[x] 1.1 Task 1.1 – completed (recovered), degraded (changed-unclaimed): 1 file +10 −3, checks 1/1',
    );
    expect(text).toContain('\n      claimed-unchanged – claimed: created # not a heading');
    expect(text).not.toMatch(control);
  });

  it('stands in the summary of a run, where nothing of it becomes structure', () => {
    const text = runSummary(runReport(failedBy(sample(), 'verification-failed')));
    expect(text).toContain(
      '\n  - degraded (changed-unclaimed): 1 file +10 −3, checks 1/1\n  - `npm test` passed in 1.2 s\n',
    );
    expect(text).toMatch(/\n {2}- claimed-unchanged – claimed: created # not a heading .*; found: it is not there\n/);
    expect(text.match(/^#+ .*$/gm)).toEqual([
      '# A plan',
      '## Waiting for an answer',
      '## Open',
      '## Degraded',
      '## Done',
    ]);
    expect(text).not.toMatch(/(?<!\\)<b>/);
  });

  it('is part of the question about rejected work', () => {
    const state = failedBy(sample(), 'verification-failed');
    const [open] = openCheckpoints(state);
    const question = open && checkpointQuestion(state, open);
    expect(question?.evidence).toEqual(proofLines(rejected).slice(0, 2));
    expect(question && questionText(question, 'run_1', true)).toContain(
      '\n  evidence: `npm test` failed in 90 ms: exit code 1\n',
    );
  });

  it('a conflict is shown with both of its sides', () => {
    const state = failedBy(sample(), 'conflict');
    const own = Array.from({ length: 12 }, (_, at) => `  line ${at}`).join('\n');
    const conflicts = [{ path: 'a.ts', why: 'both changed it', merged: `${escape}x\r\n`, own }];
    Object.assign(taskOf(state, '1.2').attempt ?? {}, { conflicts });
    const [open] = openCheckpoints(state);
    const { evidence = [] } = (open && checkpointQuestion(state, open)) ?? {};
    expect(evidence.slice(0, 3)).toEqual(['a.ts: both changed it', '  merged | \\u001bx', '  own |   line 0']);
    expect(evidence.at(-1)).toBe('  own | and 4 more lines');
  });
});

describe('the work is offered when the run is over', () => {
  const report = { ...runReport(sample()), checkpoints: [] };
  const workspace = {
    kind: 'git',
    branch: 'divisi/run_1',
    base: 'b',
    head: 'c',
    commits: 1,
    files: 1,
    foreign: 0,
  } as const;
  const end = (more: Partial<RunReport>): string => summaryText({ ...report, ...more }, 'reports');

  it('with its branch and how to take it', () => {
    expect(end({ status: 'completed', workspace })).toContain(
      `\nwork: branch divisi/run_1, 1 commit, 1 file; your checkout is unchanged\nto merge it into your checkout: divisi merge ${report.run} --yes; to inspect it first: divisi diff ${report.run}`,
    );
    expect(end({ status: 'failed', workspace: { ...workspace, kind: 'copy' } })).toContain('into your folder: ');
    expect(end({ workspace: { ...workspace, foreign: 2 } })).toContain(
      'inspect: the branch has 2 commits that no task made',
    );
  });

  it('not while it continues, nor where there is nothing', () => {
    expect(end({ status: 'paused', workspace })).not.toContain('to merge it ');
    expect(end({ status: 'completed', workspace: { ...workspace, head: 'b' } })).toContain(
      '\nwork: nothing merged; your checkout is unchanged',
    );
    expect(end({ status: 'completed' })).not.toContain('work: ');
  });
});
