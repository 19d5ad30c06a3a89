/** Work that does not reach the run's branch at once: refused, interrupted, given up. */
import { describe, expect, it } from 'vitest';
import {
  complete,
  conflict,
  createdRunOf,
  merge,
  refusal,
  running,
  startedRunOf,
  stepsOf,
  verify,
  workspaceFacts,
} from '../../../tests/support/settling.ts';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import { restoreSnapshot, writeSnapshot } from '../state/snapshot.ts';
import type { RunState } from '../state/state.ts';

const asked = ({ checkpoints }: RunState): string[] =>
  checkpoints.map(({ kind, status, why }) => `${kind} ${status} ${why}`);

describe('work that is refused', () => {
  it('goes back twice with the evidence, then to a stronger agent, then to a person', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    const tiers: unknown[] = [];
    while (state.active.size > 0 && tiers.length < 10) {
      tiers.push(state.tasks.get('1.1')?.tier);
      end(state, '1.1', 'completed');
      verify(state, '1.1', refusal('docs/a.md', { claim: 'only src' }));
      advance(state);
    }
    expect(tiers).toEqual(['standard', 'standard', 'standard', 'deep', 'deep', 'deep']);
    expect(asked(state)).toEqual(['failure open 1.1: verification-failed: claimed: only src; found: docs/a.md']);
    // What refuses it is no flag on something that counts.
    expect(state.tasks.get('1.1')?.progress).toMatchObject({ outcome: { status: 'failed', degraded: [] } });
    expect(state.tasks.get('1.1')?.failures.at(-1)).toMatchObject({ attempt: 6, commit: 'work-1.1' });
  });

  it('stops the wave where three tasks are refused for the same reason', () => {
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]);
    for (const id of ['1.1', '1.2', '1.3']) {
      end(state, id, 'completed');
      verify(state, id, refusal(`${id} is not there`));
    }
    advance(state);
    expect(state.checkpoints).toMatchObject([{ kind: 'breaker', signature: 'verification-failed: #.# is not there' }]);
  });

  it('because of a conflict goes back twice at the same tier, and stops no other task', () => {
    const state = startedRunOf([[{ id: '1.1', tier: 'fast' }]]);
    let attempts = 0;
    for (; state.active.size > 0 && attempts < 10; attempts += 1) {
      end(state, '1.1', 'completed');
      verify(state, '1.1');
      advance(state);
      conflict(state);
      advance(state);
    }
    expect([attempts, state.tasks.get('1.1')?.tier, state.index.tripped.size, state.head]).toEqual([
      3,
      'fast',
      0,
      null,
    ]);
    expect(asked(state)).toEqual([
      "failure open 1.1: conflict: cannot be merged onto the run's branch: src/a.ts (both changed it); src/a.ts: merged “one”, this task “two”",
    ]);
  });
});

describe('an attempt that is lost before it has a folder', () => {
  it('leaves the next one what the one before had left', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    const room = state.tasks.get('1.1')?.attempt?.room;
    end(state, '1.1', 'completed');
    verify(state, '1.1', refusal('docs/a.md'));
    advance(state, { opensFolders: false });
    end(state, '1.1', 'partial', { failure: { class: 'lost', message: 'gone' } }, 'lost');
    advance(state, { opensFolders: false });
    const later = state.tasks.get('1.1');
    expect([later?.attempts, later?.attempt?.room, later?.before]).toEqual([
      3,
      null,
      { room, continuesWork: true, conversation: null },
    ]);
  });
});

describe('a run that rests', () => {
  it('with work being settled keeps it, and continues with it', () => {
    const state = startedRunOf([
      [
        { id: '1.1', scope: ['src'] },
        { id: '1.2', scope: ['docs'] },
        { id: '1.3', scope: ['docs'] },
      ],
    ]);
    end(state, '1.1', 'completed');
    verify(state, '1.1');
    advance(state);
    end(state, '1.2', 'completed');
    const before = stepsOf(state);
    expect(before.map(({ purpose }) => purpose)).toEqual(['merge', 'verify']);
    happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
    expect(stepsOf(state)).toEqual([]);
    const restored = createdRunOf([
      [
        { id: '1.1', scope: ['src'] },
        { id: '1.2', scope: ['docs'] },
        { id: '1.3', scope: ['docs'] },
      ],
    ]);
    expect(restoreSnapshot(restored, writeSnapshot(state) ?? '')).toBe(true);
    expect(restored).toEqual(state);
    happen(restored, { kind: 'run.started', command: 'again' });
    advance(restored);
    expect([stepsOf(restored), running(restored)]).toEqual([before, []]);
  });

  it('gives up what is on its way when what it depends on is done again', () => {
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }]]);
    complete(state, '1.1');
    end(state, '1.2', 'completed');
    verify(state, '1.2');
    advance(state);
    happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
    happen(state, { kind: 'work.reopened', tasks: ['1.1', '1.2'], why: 'so' }, { kind: 'run.started', command: 'x' });
    advance(state);
    expect([state.merge, state.index.settling.size, running(state)]).toEqual([null, 0, ['1.1']]);
  });

  it.each(['in its own wave', 'beside an audit'])('gives up the fix of what is done again, %s', (where) => {
    const state = complete(startedRunOf([[{ id: '1.1', review: 'deep' }]]), '1.1');
    end(state, 'task-1.1:review', 'completed', { verdict: { priority: 'HIGH', action: 'fix it' } });
    if (where === 'beside an audit') {
      happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
      happen(state, { kind: 'run.started', command: 'x', audit: true });
    }
    advance(state);
    expect(state.gateTasks.get('task-1.1:fix')?.wave).toBe(where === 'beside an audit' ? 0 : 1);
    end(state, 'task-1.1:fix', 'completed');
    expect([...state.index.settling.keys()]).toEqual(['task-1.1:fix']);
    happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
    happen(state, { kind: 'work.reopened', tasks: ['1.1'], why: 'so' }, { kind: 'run.started', command: 'x' });
    advance(state);
    expect([state.index.settling.size, state.gateTasks.get('task-1.1:fix')?.progress.status]).toEqual([0, 'skipped']);
    expect(running(state)).toEqual(where === 'beside an audit' ? ['audit:review'] : ['1.1']);
  });

  it('ends on a rejection only when no work is being settled', () => {
    const plan = planOf([[{ id: '1.1' }, { id: '1.2' }]], { settings: { budgets: { delegations: 1 } } });
    const state = happen(createdRun(plan, 1, true, { workspace: workspaceFacts }), {
      kind: 'run.started',
      command: 'x',
    });
    advance(state);
    end(state, '1.1', 'completed');
    happen(state, {
      kind: 'checkpoint.opened',
      checkpoint: 'checkpoint-1',
      type: 'budget',
      why: 'x',
      budget: 'delegations',
    });
    happen(state, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
    advance(state);
    expect(state.status).toBe('running');
    verify(state, '1.1');
    advance(state);
    merge(state, 'm1');
    advance(state);
    expect([state.status, state.tasks.get('1.1')?.progress.status]).toEqual(['cancelled', 'completed']);
  });
});
