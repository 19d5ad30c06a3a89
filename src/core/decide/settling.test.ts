/** From an agent's word to the run's branch: verified, merged one at a time, then completed. */
import { describe, expect, it } from 'vitest';
import { complete, merge, running, startedRunOf, stepsOf, verify } from '../../../tests/support/settling.ts';
import { advance, createdRun, end, happen, planOf } from '../../../tests/support/state-of.ts';
import type { RunState } from '../state/state.ts';

const statusOf = (state: RunState, id: string): string | undefined => state.tasks.get(id)?.progress.status;

describe('work whose agent says that it is done', () => {
  it('is verified, merged, and then completed, with the facts instead of its word', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    end(state, '1.1', 'completed', { files: ['claimed.ts'], degraded: ['repaired'] });
    advance(state);
    expect(stepsOf(state)).toMatchObject([
      { purpose: 'verify', attempt: 1, tier: 'standard', role: 'work', wave: 1, room: { base: 'ba5e' } },
    ]);
    const changes = [
      { path: 'real.ts', change: 'edited', blob: 'b1' },
      { path: 'gone.ts', change: 'deleted' },
    ] as const;
    const findings = [{ kind: 'changed-unclaimed', rejects: false, fact: 'real.ts', paths: [] }] as const;
    verify(state, '1.1', {
      verdict: 'degraded',
      changes: [...changes],
      findings: findings.map((one) => ({ ...one, paths: [] })),
    });
    expect([statusOf(state, '1.1'), state.merge]).toEqual(['merging', null]);
    advance(state);
    expect(state.merge).toMatchObject({ task: '1.1', at: 1000, head: null });
    expect(stepsOf(state)).toMatchObject([{ purpose: 'merge', commit: 'work-1.1', head: null, at: 1000 }]);
    merge(state, 'm1');
    advance(state);
    expect([statusOf(state, '1.1'), state.head, state.merge, state.index.settling.size]).toEqual([
      'completed',
      'm1',
      null,
      0,
    ]);
    expect(state.tasks.get('1.1')).toMatchObject({
      attempt: { commit: 'm1', verification: { commit: 'work-1.1' } },
      progress: {
        outcome: {
          files: ['real.ts', 'gone.ts'],
          fileHashes: { 'real.ts': 'b1' },
          degraded: ['repaired', 'changed-unclaimed'],
        },
      },
    });
  });

  it('has nothing to merge where nothing has changed', () => {
    const state = startedRunOf([[{ id: '1.1' }]]);
    end(state, '1.1', 'completed');
    verify(state, '1.1', { verdict: 'degraded' }, null);
    advance(state);
    expect([statusOf(state, '1.1'), state.head, state.tasks.get('1.1')?.attempt?.commit]).toEqual([
      'completed',
      null,
      null,
    ]);
  });

  it('is not verified where it failed, is a review, or the run has no workspace', () => {
    const failing = startedRunOf([[{ id: '1.1' }]]);
    end(failing, '1.1', 'failed', { failure: { class: 'unclear', message: 'what is meant?' } });
    expect([failing.index.settling.size, statusOf(failing, '1.1')]).toEqual([0, 'ended']);
    const bare = happen(createdRun(planOf([[{ id: '1.1' }]])), { kind: 'run.started', command: 'x' });
    advance(bare);
    end(bare, '1.1', 'completed');
    expect([bare.index.settling.size, statusOf(bare, '1.1')]).toEqual([0, 'ended']);
    const reviewed = complete(startedRunOf([[{ id: '1.1' }]]), '1.1');
    end(reviewed, 'wave-1:review', 'completed', { verdict: { priority: 'HIGH', action: 'fix it' } });
    expect([reviewed.index.settling.size, reviewed.gateTasks.get('wave-1:review')?.progress.status]).toEqual([
      0,
      'ended',
    ]);
    advance(reviewed);
    end(reviewed, 'wave-1:fix', 'completed');
    expect(stepsOf(reviewed)).toMatchObject([{ purpose: 'verify', role: 'fix' }]);
  });

  it('keeps its place and its scope until it is merged', () => {
    const state = startedRunOf([[{ id: '1.1', scope: ['src'] }, { id: '1.2', scope: ['src/a'] }, { id: '1.3' }]], {
      concurrency: 1,
    });
    end(state, '1.1', 'completed');
    advance(state);
    expect(running(state)).toEqual([]);
    verify(state, '1.1');
    advance(state);
    expect(running(state)).toEqual([]);
    merge(state, 'm1');
    advance(state);
    expect(running(state)).toEqual(['1.2']);
    const wide = startedRunOf([
      [
        { id: '1.1', scope: ['src'] },
        { id: '1.2', scope: ['src/a'] },
      ],
    ]);
    end(wide, '1.1', 'completed');
    advance(wide);
    expect([running(wide), wide.index.waiting.get('1.1')?.length]).toEqual([[], 1]);
    verify(wide, '1.1');
    advance(wide);
    merge(wide, 'm1');
    advance(wide);
    expect(running(wide)).toEqual(['1.2']);
  });

  it('leaves to others the places that are free, and no more', () => {
    const state = startedRunOf([['1.1', '1.2', '1.3', '1.4'].map((id) => ({ id }))], { concurrency: 2 });
    end(state, '1.1', 'completed');
    end(state, '1.2', 'failed', { failure: { class: 'unclear', message: 'what is meant?' } });
    advance(state);
    expect(running(state)).toEqual(['1.3']);
  });

  it('lets those who wait for it start once it is merged, from there', () => {
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2', after: [{ task: '1.1' }] }]]);
    end(state, '1.1', 'completed');
    verify(state, '1.1');
    advance(state);
    expect(running(state)).toEqual([]);
    merge(state, 'm1');
    advance(state);
    expect([running(state), state.tasks.get('1.2')?.attempt?.room?.base]).toEqual([['1.2'], 'm1']);
  });
});

describe('merges', () => {
  it('are one at a time, by wave and id where several wait', () => {
    const ids = ['1.10', '1.9', '1.2', '1.1'];
    const state = startedRunOf([ids.map((id) => ({ id }))], { concurrency: 4 });
    for (const id of ids) end(state, id, 'completed');
    for (const id of ['1.10', '1.9']) verify(state, id);
    advance(state);
    const order: unknown[] = [state.merge?.task];
    // The one that was begun continues, also when an earlier one comes.
    for (const id of ['1.2', '1.1']) verify(state, id);
    for (let number = 1; state.merge !== null; number += 1) {
      expect(stepsOf(state).map(({ purpose }) => purpose)).toEqual(['merge']);
      merge(state, `m${number}`);
      advance(state);
      order.push(state.merge?.task);
    }
    expect(order).toEqual(['1.9', '1.1', '1.2', '1.10', undefined]);
  });

  it('begin with the wave that comes first, whatever the names are', () => {
    const state = startedRunOf([[{ id: '1.1' }, { id: '1.2' }]]);
    for (const id of ['1.1', '1.2']) end(state, id, 'completed');
    happen(state, { kind: 'run.paused', reason: 'stopped', for: 'stop' });
    happen(state, { kind: 'run.started', command: 'x', audit: true });
    advance(state);
    end(state, 'audit:review', 'completed', { verdict: { priority: 'MED', action: 'a comma' } });
    advance(state);
    end(state, 'audit:fix', 'completed');
    for (const id of ['1.1', 'audit:fix']) verify(state, id);
    advance(state);
    expect(state.merge?.task).toBe('audit:fix');
  });

  it('are looked for from where the branch was when they began, whatever is seen of it later', () => {
    const state = complete(startedRunOf([[{ id: '1.1' }, { id: '1.2' }]], { concurrency: 1 }), '1.1');
    end(state, '1.2', 'completed');
    verify(state, '1.2');
    advance(state);
    happen(state, { kind: 'work.drifted', head: 'moved', files: [] }, { kind: 'run.started', command: 'again' });
    expect([state.head, stepsOf(state)]).toMatchObject(['moved', [{ purpose: 'merge', head: 'merged-1.1' }]]);
  });
});
