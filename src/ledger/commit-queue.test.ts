import { describe, expect, it } from 'vitest';
import { createdRun, happen, planOf } from '../../tests/support/state-of.ts';
import type { RunEvent } from '../core/event/event.ts';
import { commitQueue } from './commit-queue.ts';

const clock = { now: () => 5 };

describe('a transaction', () => {
  it('applies its events one after another, and makes them durable together', () => {
    const state = happen(createdRun(planOf([[{ id: '1.1' }]])), { kind: 'run.started', command: 'x' });
    const appended: RunEvent[][] = [];
    const seen: string[] = [];
    const lease = { append: (events: readonly RunEvent[]) => appended.push([...events]) };
    const commits = commitQueue(state, { lease, clock });
    commits.follow((events) => seen.push(...events.map(({ kind }) => kind)));
    const { record, commit } = commits.begin();
    record({ kind: 'plan.changed', file: 'plan.md', hash: 'new', conflicts: [] });
    record({ kind: 'plan.amended', amendments: [{ kind: 'tick', task: '1.1' }] });
    expect([state.planHashes[0], state.tasks.get('1.1')?.progress.status]).toEqual(['new', 'completed']);
    expect([appended, seen]).toEqual([[], []]);
    commit();
    expect([appended.map((events) => events.map(({ kind }) => kind)), seen]).toEqual([
      [['plan.changed', 'plan.amended']],
      ['plan.changed', 'plan.amended'],
    ]);
  });

  it('without events writes nothing', () => {
    let writes = 0;
    const count = (): number => (writes += 1);
    const commits = commitQueue(createdRun(planOf([[{ id: '1.1' }]])), { lease: { append: count }, clock });
    commits.follow(count);
    commits.begin().commit();
    expect(writes).toBe(0);
  });

  it('is the only one: nothing else is committed while it is open, nor after one that failed', () => {
    const state = createdRun(planOf([[{ id: '1.1' }]]));
    let writes = 0;
    const append = (): number => {
      writes += 1;
      if (writes > 1) throw new Error('no room');
      return writes;
    };
    const commits = commitQueue(state, { lease: { append }, clock });
    const event = { kind: 'run.started', command: 'x' } as const;
    const first = commits.begin();
    expect(() => commits.commit([event])).toThrow('its queue is open');
    expect(state.status).not.toBe('running');
    first.record(event);
    first.commit();
    expect(() => commits.commit([event])).toThrow('no room');
    expect(() => commits.commit([event])).toThrow('no room');
    expect(writes).toBe(2);
  });
});
