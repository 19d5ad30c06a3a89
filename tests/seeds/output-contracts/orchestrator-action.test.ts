/** The consequence of each literal return in a plan's run, from the text to the last task. */
import { describe, expect, it } from 'vitest';
import { defineContract } from '../../../src/contracts/contract.ts';
import type { Contract } from '../../../src/contracts/contract.ts';
import { builtInContracts } from '../../../src/contracts/registry.ts';
import { read } from '../../../src/contracts/read/read.ts';
import { readOwnContract } from '../../../src/contracts/own/own-contract.ts';
import type { PartialOutcome } from '../../../src/core/event/make-outcome.ts';
import { accepted } from '../../../src/reading/outcome.ts';
import { type Script, scriptedRun } from '../../support/scripted-run.ts';
import { repositoryFile } from '../../support/repository.ts';
import { planOf } from '../../support/state-of.ts';

const contractNamed = (name: string): Contract => builtInContracts.find((one) => one.name === name) as Contract;

const block = (...lines: string[]): string => ['---OUTPUT---', ...lines, '---END---'].join('\n');

/** The outcome that the run records of a return. */
function outcomeOf(contract: Contract, text: string): PartialOutcome {
  const reading = read(contract, text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations));
  return accepted(contract, reading.result, { repairs: 0, report: 'r.md' });
}

const low = { verdict: { priority: 'LOW', action: 'nothing-to-do' } } as const;

/** Task 1.1 returns `first`; every review says LOW, unless `then` says otherwise. */
async function follow(contract: Contract, text: string, then: Script = () => low) {
  const first = outcomeOf(contract, text);
  const script: Script = (activity) => {
    if (activity.task.id === '1.1') return first;
    return activity.task.id.includes('review') ? then(activity) : {};
  };
  const run = scriptedRun(planOf([[{ id: '1.1', agent: contract.name }, { id: '1.2' }]]), script);
  const state = await run.work();
  const tasks = run.activities.map(({ task }) => `${task.id} ${task.agent}`);
  const asked = state.checkpoints.map(({ kind, status, why }) => `${kind} ${status}: ${why}`);
  return { run, state, status: state.status, tasks: tasks.filter((one) => !/^(?:1\.|wave|final)/.test(one)), asked };
}

const unapproved = block(
  'approved: false',
  'issues_total: 3',
  'critical: none',
  'major: [Missing input validation on email field, No rate limiting on login endpoint]',
  'minor: [Consider extracting magic number to constant]',
  'security: Rate limiting should be added before production',
  'test_coverage: adequate',
  'recommendation: revise',
);

describe('code-reviewer (pr-review-toolkit:code-reviewer) Contract', () => {
  const reviewer = contractNamed('code-reviewer');

  it('approved: false sends the issues to a fixer, and the same agent reviews again', async () => {
    const { state, status, tasks, asked } = await follow(reviewer, unapproved);
    expect({ status, tasks, asked }).toEqual({
      status: 'completed',
      tasks: ['task-1.1:fix fixer', 'task-1.1:review code-reviewer'],
      asked: [],
    });
    const fix = state.gateTasks.get('task-1.1:fix')?.planned.description;
    expect(fix).toContain('Missing input validation on email field; No rate limiting on login endpoint');
    expect(fix).toContain('Consider extracting magic number to constant');
  });

  it('at most 3 rounds, then a person', async () => {
    const { status, tasks, asked } = await follow(reviewer, unapproved, ({ task }) =>
      task.id.startsWith('task') ? outcomeOf(reviewer, unapproved) : low,
    );
    expect(status).toBe('paused');
    expect(tasks).toHaveLength(4);
    expect(asked).toEqual([
      expect.stringMatching(/^review open: the review of task 1\.1 still says HIGH after 3 rounds: /),
    ]);
  });

  it('approved: true completes the task', async () => {
    const text = unapproved
      .replace('approved: false', 'approved: true')
      .replace(/major: .*/, 'major: none')
      .replace('revise', 'approve');
    expect(await follow(reviewer, text)).toMatchObject({ status: 'completed', tasks: [], asked: [] });
  });
});

describe('tdd-task-executor Contract', () => {
  const lines = [
    'phase: 2/3',
    'phase_complete: true',
    'files_changed: [src/auth/service.ts, src/auth/middleware.ts]',
    'files_created: [src/auth/__tests__/service.test.ts]',
    'tests_added: 8',
    'tests_passing: true',
    'test_failures: none',
    'blockers: none',
    'next_action: proceed to phase 3',
  ];
  const executor = contractNamed('tdd-task-executor');

  it('a complete phase with passing tests is reviewed', async () => {
    const { status, tasks } = await follow(executor, block(...lines));
    expect({ status, tasks }).toEqual({ status: 'completed', tasks: ['task-1.1:review task-reviewer'] });
  });

  it('blockers ask a person; the other tasks are done', async () => {
    const blocked = lines.map((line) => line.replace('blockers: none', 'blockers: no access to the mail server'));
    const { status, tasks, asked, state } = await follow(executor, block(...blocked));
    expect({ status, tasks, asked }).toEqual({
      status: 'paused',
      tasks: [],
      asked: ['failure open: 1.1: unclear: no access to the mail server'],
    });
    expect(state.tasks.get('1.2')?.progress.status).toBe('completed');
  });
});

describe('silent-failure-hunter Contract', () => {
  const lines = [
    'silent_failures_found: 2',
    'locations: [src/api/client.ts:45 - swallowed Promise rejection, src/auth/token.ts:112 - empty catch block]',
    'severity: high',
    'recommendations: [Add error logging to catch blocks, Propagate errors to caller]',
  ];
  const hunter = contractNamed('silent-failure-hunter');

  it('severity high is fixed at once', async () => {
    const { tasks } = await follow(hunter, block(...lines));
    expect(tasks).toEqual(['task-1.1:fix fixer', 'task-1.1:review silent-failure-hunter']);
  });

  it('severity medium is noted for later', async () => {
    const { tasks, state, status } = await follow(
      hunter,
      block(...lines).replace('severity: high', 'severity: medium'),
    );
    expect({ status, tasks }).toEqual({ status: 'completed', tasks: ['task-1.1:result:fix fixer'] });
    expect([...state.findings.values()]).toMatchObject([
      { id: 'task-1.1:result', action: expect.stringContaining('src/api/client.ts:45'), isFixed: true },
    ]);
  });
});

describe('pr-review-toolkit:review-pr Contract', () => {
  const lines = [
    'ready_to_merge: true',
    'blocking_issues: none',
    'warnings: [Consider adding integration test for edge case]',
    'test_status: all-pass',
    'files_reviewed: 7',
    'approval_confidence: high',
    'final_recommendation: merge',
  ];

  it('ready_to_merge: true completes the task; its warnings are notes', async () => {
    const { state, status, tasks } = await follow(contractNamed('review-pr'), block(...lines));
    expect({ status, tasks }).toEqual({ status: 'completed', tasks: [] });
    const progress = state.tasks.get('1.1')?.progress;
    expect(progress).toMatchObject({
      outcome: { structuredResult: { notes: ['Consider adding integration test for edge case'] } },
    });
  });

  it('ready_to_merge: false sends blocking_issues to a fixer', async () => {
    const text = block(...lines)
      .replace('ready_to_merge: true', 'ready_to_merge: false')
      .replace('blocking_issues: none', 'blocking_issues: [The migration cannot be undone]')
      .replace('merge\n---END', 'revise\n---END');
    const { tasks } = await follow(contractNamed('review-pr'), text);
    expect(tasks).toEqual(['task-1.1:fix fixer', 'task-1.1:review review-pr']);
  });
});

describe('Adding New Contracts', () => {
  /** Like the contract of docs/own-contracts.md, in a format. */
  const migration = (wireFormat: 'block' | 'report'): Contract =>
    defineContract({
      name: 'migration-writer',
      version: 1,
      purpose: 'write one database migration',
      wireFormat,
      fields: {
        risk: { type: 'choice', of: ['low', 'high'], about: 'how dangerous it is' },
        done: { type: 'flag', about: 'whether it is finished' },
      },
      statusWhen: [],
      summary: 'risk {risk}',
      rules: [],
      actions: [
        { when: { risk: 'high' }, action: 'halt' },
        { when: { done: false }, action: 'continue' },
      ],
      example: { risk: 'low', done: true },
    });

  it.each([
    ['block', block('risk: high', 'done: true')],
    ['report', '---\nrisk: high\ndone: true\n---\n'],
  ] as const)('halt asks a person at once (%s)', async (format, text) => {
    const { run, status, tasks, asked } = await follow(migration(format), text);
    expect({ status, tasks, asked }).toEqual({
      status: 'paused',
      tasks: [],
      asked: ['review open: the result of task 1.1 asks for a person: risk high'],
    });
    run.answer({ approved: true });
    expect((await run.work()).status).toBe('completed');
    expect(run.activities.some(({ task }) => task.id.endsWith(':fix'))).toBe(false);
  });

  it('a no sends the halted work to a fixer with the note', async () => {
    const { run } = await follow(migration('block'), block('risk: high', 'done: true'));
    run.answer({ approved: false, note: 'split it in two' });
    const state = await run.work();
    expect(state.status).toBe('completed');
    expect(state.gateTasks.get('task-1.1:fix')?.planned.description).toContain('- split it in two');
  });

  it('an agent that wrote a file does not judge it after the fix', async () => {
    const [yaml = ''] = /(?<=```yaml\n)[^]*?(?=```)/.exec(repositoryFile('docs/own-contracts.md')) ?? [];
    const contract = readOwnContract(yaml, 'migration-writer.yaml');
    const text = block('path: db/004.sql', 'reversible: false', 'risk: high');
    const { run, asked } = await follow(contract, text);
    expect(asked).toEqual(['review open: the result of task 1.1 asks for a person: db/004.sql: risk high']);
    run.answer({ approved: false });
    await run.work();
    expect(run.state().gateTasks.get('task-1.1:review')?.planned.agent).toBe('task-reviewer');
  });

  it('continue gives the same work back', async () => {
    const { run, asked } = await follow(migration('block'), block('risk: low', 'done: false'));
    expect(run.activities.filter(({ task }) => task.id === '1.1')).toHaveLength(3);
    expect(asked).toEqual(['failure open: 1.1: unfinished: risk low']);
  });
});
