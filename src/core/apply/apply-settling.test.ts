/** Work accepted by a person, and events that the state does not allow. */
import { describe, expect, it } from 'vitest';
import {
  complete,
  conflict,
  merge,
  running,
  startedRunOf,
  stepsOf,
  verificationOf,
  verify,
} from '../../../tests/support/settling.ts';
import { advance, end, happen, outcomeOf } from '../../../tests/support/state-of.ts';
import { type DelegationId, delegationIdSchema } from '../../base/ids.ts';
import type { NewEvent } from '../event/event.ts';
import type { RunState } from '../state/state.ts';

const unread = { report: 'said.md', failure: { class: 'contract-violation', message: 'no status' } } as const;

function delegationOf(state: RunState, id: string): DelegationId {
  const task = state.tasks.get(id) ?? state.gateTasks.get(id);
  if (task === undefined || task.attempt === null) throw new Error(`${id} has no delegation`);
  return task.attempt.delegation;
}

const approve = (state: RunState, checkpoint: string): RunState =>
  happen(state, { kind: 'checkpoint.answered', checkpoint, approved: true, by: 'person' });

describe('work that a person takes although its return could not be read', () => {
  it('is verified and merged like any other', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    end(state, '1.1', 'blocked', unread);
    advance(state);
    approve(state, 'checkpoint-1');
    advance(state);
    expect(stepsOf(state)).toMatchObject([{ purpose: 'verify', outcome: { status: 'completed' } }]);
    verify(state, '1.1');
    advance(state);
    merge(state, 'm1');
    advance(state);
    const progress = state.tasks.get('1.1')?.progress;
    expect(progress).toMatchObject({ status: 'completed', outcome: { degraded: ['accepted-by-a-person'] } });
    expect(progress).not.toHaveProperty('outcome.failure');
  });

  it('goes back where it does not hold', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    end(state, '1.1', 'blocked', unread);
    advance(state);
    approve(state, 'checkpoint-1');
    advance(state);
    verify(state, '1.1', { verdict: 'rejected' });
    advance(state);
    expect([running(state), state.tasks.get('1.1')?.attempts]).toEqual([['1.1'], 2]);
  });

  it('takes no scope away from the task that is running in it by then', () => {
    const state = startedRunOf([
      [
        { id: '1.1', scope: ['src'] },
        { id: '1.2', scope: ['src'] },
        { id: '1.3', scope: ['src'] },
      ],
    ]);
    end(state, '1.1', 'blocked', unread);
    advance(state);
    expect(running(state)).toEqual(['1.2']);
    approve(state, 'checkpoint-1');
    advance(state);
    // A task that has a slot gets it once more, as after every change of the plan.
    happen(state, { kind: 'plan.amended', amendments: [{ kind: 'order', wave: 1, tasks: [] }] });
    verify(state, '1.1');
    advance(state);
    merge(state, 'm1');
    advance(state);
    expect(running(state)).toEqual(['1.2']);
    complete(state, '1.2');
    expect(running(state)).toEqual(['1.3']);
  });

  it('is not a review: one that cannot be read says nothing, and is not merged', () => {
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2' }]]);
    complete(state, '1.1');
    end(state, '1.2', 'blocked', unread);
    advance(state);
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
    advance(state);
    end(state, 'wave-1:review', 'blocked', unread);
    happen(state, {
      kind: 'checkpoint.opened',
      checkpoint: 'checkpoint-2',
      type: 'breaker',
      why: 'the same failure',
      signature: 'contract-violation: no status',
    });
    approve(state, 'checkpoint-2');
    advance(state);
    expect([state.index.settling.size, state.checkpoints.at(-1)]).toMatchObject([
      0,
      { kind: 'review', gate: 'wave-1', why: 'the review of wave 1 gave no verdict' },
    ]);
  });
});

describe('what cannot follow is refused', () => {
  const other = delegationIdSchema.parse('sess_1600000000_zzzzzz');
  const verification = verificationOf({ commit: 'c' });

  /** 1.1 is running, 1.2 is being verified, 1.3 is being merged, 1.4 waits to be. */
  function busy(): RunState {
    const state = startedRunOf([['1.1', '1.2', '1.3', '1.4'].map((id) => ({ id }))], { concurrency: 4 });
    for (const id of ['1.2', '1.3', '1.4']) end(state, id, 'completed');
    verify(state, '1.3');
    advance(state);
    verify(state, '1.4');
    return state;
  }

  const cases: readonly [string, (state: RunState) => NewEvent][] = [
    [
      '1.1 is running',
      (s) => ({ kind: 'task.verified', task: '1.1', delegation: delegationOf(s, '1.1'), verification }),
    ],
    ['1.2 is verifying', () => ({ kind: 'task.verified', task: '1.2', delegation: other, verification })],
    [
      '1.3 is merging',
      (s) => ({ kind: 'task.verified', task: '1.3', delegation: delegationOf(s, '1.3'), verification }),
    ],
    ['1.2 is verifying', (s) => ({ kind: 'merge.started', task: '1.2', delegation: delegationOf(s, '1.2') })],
    ['1.4 is merging', () => ({ kind: 'merge.started', task: '1.4', delegation: other })],
    ['of 1.3 is being merged', (s) => ({ kind: 'merge.started', task: '1.4', delegation: delegationOf(s, '1.4') })],
    [
      'the merge was not started',
      (s) => ({ kind: 'task.merged', task: '1.4', delegation: delegationOf(s, '1.4'), commit: 'm' }),
    ],
    [
      '1.2 is verifying',
      (s) => ({ kind: 'task.merged', task: '1.2', delegation: delegationOf(s, '1.2'), commit: 'm' }),
    ],
    [
      'the merge was not started',
      (s) => ({ kind: 'task.conflicted', task: '1.4', delegation: delegationOf(s, '1.4'), onto: 'm', conflicts: [] }),
    ],
    ['1.1 is running', () => ({ kind: 'task.accepted', task: '1.1' })],
    ['1.2 is verifying', () => ({ kind: 'task.accepted', task: '1.2' })],
    ['1.2 is verifying', () => ({ kind: 'task.settled', task: '1.2', status: 'completed' })],
    ['1.3 is merging', () => ({ kind: 'task.retried', task: '1.3', tier: 'deep', why: 'again' })],
    ['no task 9.9', () => ({ kind: 'merge.started', task: '9.9', delegation: other })],
    [
      'not active',
      () => ({
        kind: 'workspace.opened',
        delegation: other,
        deadline: 1,
        room: { folder: 'f', branch: 'b', base: 'c' },
      }),
    ],
    ['at its start', () => ({ kind: 'gate.checked', gate: 'wave-1', wave: 1, commit: 'm', commands: [] })],
    ['no wave 7', () => ({ kind: 'gate.checked', gate: 'wave-7', wave: 7, commit: 'm', commands: [] })],
  ];

  it.each(cases)('%s: case %#', (why, event) => {
    const state = busy();
    const before = structuredClone({
      merge: state.merge,
      head: state.head,
      settling: [...state.index.settling.keys()],
    });
    expect(() => happen(state, event(state))).toThrow(why);
    expect({ merge: state.merge, head: state.head, settling: [...state.index.settling.keys()] }).toEqual(before);
  });

  it('and so is work in an unknown folder, an accepted review, and a check of reviewed work', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    const task = state.tasks.get('1.1');
    if (task === undefined) throw new Error('there is no task');
    if (task.attempt !== null) task.attempt.room = null;
    const ended = { kind: 'delegation.ended', task: '1.1', end: 'returned', outcome: outcomeOf('completed') } as const;
    expect(() => happen(state, { ...ended, delegation: delegationOf(state, '1.1') })).toThrow('the room of');

    const reviewed = complete(startedRunOf([[{ id: '1.1' }]]), '1.1');
    const checked = { kind: 'gate.checked', gate: 'wave-1', wave: 1, commit: 'merged-1.1', commands: [] } as const;
    expect(() => happen(reviewed, { ...checked, commands: [] })).toThrow('wave-1 is reviewing');
    end(reviewed, 'wave-1:review', 'blocked', unread);
    expect(() => happen(reviewed, { kind: 'task.accepted', task: 'wave-1:review' })).toThrow(
      'wave-1:review left nothing to verify',
    );
  });

  it('but not what comes after a conflict: the next one is merged', () => {
    const state = busy();
    conflict(state);
    advance(state);
    expect([state.merge?.task, state.tasks.get('1.3')?.progress.status]).toEqual(['1.4', 'running']);
  });
});
