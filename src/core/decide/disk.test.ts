/** A full disk: nothing new starts; after a while a person is asked. */
import { describe, expect, it } from 'vitest';
import { advance, createdRun, end, planOf } from '../../../tests/support/state-of.ts';
import { apply } from '../apply/apply.ts';
import { type NewEvent, stamp } from '../event/event.ts';
import { wakeTime } from '../state/hold.ts';
import type { RunState } from '../state/state.ts';
import { waitingFor } from '../state/waiting.ts';

const minute = 60_000;
const gib = 1024 ** 3;
const low = { kind: 'disk.measured', free: gib, needs: 3 * gib } as const;

function started(): { readonly state: RunState; readonly at: (minutes: number, event: NewEvent) => RunState } {
  const state = createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }]]), 1);
  const at = (minutes: number, event: NewEvent): RunState => apply(state, stamp(event, minutes * minute));
  at(1, { kind: 'run.started', command: 'x' });
  return { state, at };
}

const tasksOf = (delegations: ReadonlyMap<string, unknown>): string[] => [...delegations.keys()];

describe('a full disk', () => {
  it('starts nothing, lets running work end, and says what is waited for', () => {
    const { state, at } = started();
    expect(tasksOf(advance(state))).toEqual(['1.1']);
    at(2, low);
    end(state, '1.1', 'completed');
    expect(tasksOf(advance(state))).toEqual([]);
    const task = state.tasks.get('1.2');
    expect(task && waitingFor(state, task)).toEqual({ for: 'disk', free: gib, needs: 3 * gib });
    at(3, { kind: 'disk.measured', free: 4 * gib, needs: 3 * gib });
    expect(tasksOf(advance(state))).toEqual(['1.2']);
  });

  it('is asked about after ten minutes, once; yes continues for the rest of the run', () => {
    const { state, at } = started();
    at(2, low);
    expect(wakeTime(state)).toBe(12 * minute);
    at(11, { kind: 'clock.reached', time: 11 * minute });
    expect([tasksOf(advance(state)), state.checkpoints]).toEqual([[], []]);
    at(12, { kind: 'clock.reached', time: 12 * minute });
    advance(state);
    expect(state.checkpoints).toMatchObject([
      {
        kind: 'disk',
        status: 'open',
        why: '1.0 GiB free on the disk with the rooms, 3.0 GiB needed to start more (workspace.disk)',
      },
    ]);
    expect([tasksOf(advance(state)), wakeTime(state), state.checkpoints.length]).toEqual([[], undefined, 1]);
    at(13, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: true, by: 'person' });
    expect(tasksOf(advance(state))).toEqual(['1.1']);
    at(14, low);
    end(state, '1.1', 'completed');
    expect(tasksOf(advance(state))).toEqual(['1.2']);
  });

  it('stops the run after a no, and is asked about at once when it is resumed', () => {
    const { state, at } = started();
    at(2, low);
    at(12, { kind: 'clock.reached', time: 12 * minute });
    advance(state);
    at(13, { kind: 'checkpoint.answered', checkpoint: 'checkpoint-1', approved: false, by: 'person' });
    advance(state);
    expect(state.status).toBe('cancelled');
    at(20, { kind: 'run.started', command: 'x' });
    expect(tasksOf(advance(state))).toEqual([]);
    expect(state.checkpoints.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['disk replaced', 'disk open']);
  });

  it('that has space again needs no answer', () => {
    const { state, at } = started();
    at(2, low);
    at(12, { kind: 'clock.reached', time: 12 * minute });
    advance(state);
    at(13, { kind: 'disk.measured', free: 4 * gib, needs: 3 * gib });
    at(13, { kind: 'checkpoint.withdrawn', checkpoint: 'checkpoint-1' });
    expect(tasksOf(advance(state))).toEqual(['1.1']);
    at(14, low);
    expect(wakeTime(state)).toBe(24 * minute);
  });
});
