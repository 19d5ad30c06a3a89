import { describe, expect, it } from 'vitest';
import { createdRun, happen, planOf } from '../../tests/support/state-of.ts';
import type { RunEvent } from '../core/event/event.ts';
import { gatherEvents } from './record-events.ts';

const clock = { now: () => 5 };

describe('events that are gathered', () => {
  it('are applied one after another, and durable together', () => {
    const state = happen(createdRun(planOf([[{ id: '1.1' }]])), { kind: 'run.started', command: 'x' });
    const appended: RunEvent[][] = [];
    const seen: string[] = [];
    const lease = { append: (events: readonly RunEvent[]) => appended.push([...events]) };
    const committed = (events: readonly RunEvent[]): void => void seen.push(...events.map(({ kind }) => kind));
    const { record, commit } = gatherEvents(state, { lease, clock, committed });
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

  it('that are none write nothing', () => {
    let writes = 0;
    const count = (): number => (writes += 1);
    gatherEvents(createdRun(planOf([[{ id: '1.1' }]])), { lease: { append: count }, clock, committed: count }).commit();
    expect(writes).toBe(0);
  });
});
