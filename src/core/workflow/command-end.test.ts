import { describe, expect, it } from 'vitest';
import type { RunState } from '../state/state.ts';
import type { TaskProgress } from '../state/task-state.ts';
import { activeStatus, commandEnd, statusAfter } from './command-end.ts';
import { outcomeFrom } from '../event/make-outcome.ts';
import type { Failure, Outcome } from '../event/outcome.ts';
import { newCommand } from '../event/workflow-step.ts';

function outcomeOf(status: Outcome['status'], failure?: Failure['class']): TaskProgress {
  const why = failure === undefined ? {} : { failure: { class: failure, message: '' } };
  const outcome = outcomeFrom({ status, ...why });
  return outcome.status === 'completed' ? { status: outcome.status, outcome } : { status: outcome.status, outcome };
}

/** As much of a state as is looked at. */
function stateWith(command: string, ...progress: TaskProgress[]): RunState {
  const tasks = new Map(progress.map((one, at) => [`12.${at + 1}`, { progress: one }]));
  const created = { workflow: { kind: 'command', command } };
  return { status: 'running', tasks, created, command: newCommand(), head: 'a' } as unknown as RunState;
}

const done = outcomeOf('completed');
const skipped: TaskProgress = { status: 'skipped', because: '12.1' };
const pending: TaskProgress = { status: 'pending' };

describe('the end of a command, and the status of its task', () => {
  it.each([
    ['done', [done], 'completed', 'researched'],
    ['not begun', [pending], 'open', undefined],
    ['out of time', [outcomeOf('partial', 'timeout')], 'partial', 'partial'],
    ['blocked', [outcomeOf('blocked', 'unclear')], 'blocked', 'blocked'],
    ['not readable', [outcomeOf('blocked', 'contract-violation')], 'invalid', undefined],
    ['not true', [outcomeOf('failed', 'verification-failed')], 'invalid', undefined],
    ['failed', [outcomeOf('failed', 'agent-error')], 'failed', undefined],
    ['one phase done', [done, outcomeOf('failed', 'agent-error'), skipped], 'failed', 'partial'],
    ['one phase done, the next not readable', [done, outcomeOf('blocked', 'contract-violation')], 'invalid', 'partial'],
    ['one phase done, the next blocked', [done, outcomeOf('blocked', 'unclear'), skipped], 'blocked', 'blocked'],
  ] as const)('%s', (_, progress, end, status) => {
    const state = stateWith('research', ...progress);
    expect([commandEnd(state), statusAfter(state, true)]).toEqual([end, status]);
  });

  it('is partial until its work is merged into the checkout', () => {
    const state = stateWith('research', done);
    expect(statusAfter(state, false)).toBe('partial');
    state.command = { ...state.command, facts: { sync: { done: false, note: 'a merge is under way' } } };
    expect([commandEnd(state), commandEnd({ ...state, head: null })]).toEqual(['partial', 'completed']);
  });

  it('leaves the task alone if the command does not change it', () => {
    expect(statusAfter(stateWith('review', done), true)).toBeUndefined();
    expect(['research', 'plan', 'revise', 'implement', 'review', 'constructor'].map(activeStatus)).toEqual([
      'researching',
      'planning',
      'revising',
      'implementing',
      undefined,
      undefined,
    ]);
  });

  it('is cancelled with its run', () => {
    const state = { ...stateWith('research', pending), status: 'cancelled' } as RunState;
    expect([commandEnd(state), statusAfter(state, true)]).toEqual(['cancelled', undefined]);
  });
});
