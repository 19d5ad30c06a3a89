/** The loop on a disk that is full for a while: it looks again by itself, and asks in the end. */
import { describe, expect, it } from 'vitest';
import { createdRun, happen, outcomeOf, planOf } from '../../tests/support/state-of.ts';
import { delegationIds } from '../base/ids.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { Clock } from '../engine/clock.ts';
import { localEngine } from '../engine/local/local-engine.ts';
import { commitQueue } from '../ledger/commit-queue.ts';
import { runLoop } from './run-loop.ts';

/** Time passes when something waits for it. */
function quickClock(): Clock {
  let now = 1_700_000_000_000;
  return {
    now: () => now,
    after(milliseconds, callback) {
      const timer = setImmediate(() => {
        now += milliseconds;
        callback();
      });
      return () => clearImmediate(timer);
    },
  };
}

interface Ran {
  readonly state: RunState;
  readonly kinds: readonly string[];
  readonly widths: readonly number[];
}

/** `isFull` gets the seconds that have passed. */
async function run(isFull: (seconds: number) => boolean): Promise<Ran> {
  const clock = quickClock();
  const began = clock.now();
  const plan = planOf([[{ id: '1.1' }, { id: '1.2' }, { id: '1.3' }]]);
  const state = happen(createdRun(plan, 2), { kind: 'run.started', command: 'x' });
  const events: RunEvent[] = [];
  const lease = { append: (all: readonly RunEvent[]) => events.push(...all) };
  const widths: number[] = [];
  await runLoop(state, {
    engine: localEngine({ perform: async () => ({ end: 'returned', outcome: outcomeOf('completed') }), clock }),
    clock,
    newDelegation: delegationIds(clock, Math.random),
    commits: commitQueue(state, { lease, clock }),
    grace: 0,
    atCheckpoint: 'wait',
    disk(width) {
      widths.push(width);
      return { free: isFull((clock.now() - began) / 1000) ? 1 : 3, needs: 2 };
    },
  });
  const about = events.filter(({ kind }) => /^(?:disk|checkpoint|clock|delegation\.registered|run)/.test(kind));
  return { state, kinds: about.map(({ kind }) => kind), widths };
}

const work = ['delegation.registered', 'delegation.registered', 'delegation.registered', 'run.ended'];

describe('a disk', () => {
  it('with space is looked at, and nothing is recorded', async () => {
    const { kinds, widths } = await run(() => false);
    expect(kinds).toEqual(work);
    expect(widths[0]).toBe(2);
  });

  it('that is full for a minute holds everything; only the change is recorded', async () => {
    const { state, kinds, widths } = await run((seconds) => seconds < 60);
    expect(kinds).toEqual(['disk.measured', 'disk.measured', ...work]);
    expect(state.status).toBe('completed');
    expect(widths.length).toBeGreaterThan(12);
  });

  it('that is full for longer is asked about after ten minutes; the question is void when there is space', async () => {
    const { state, kinds } = await run((seconds) => seconds < 900);
    const asked = ['clock.reached', 'checkpoint.opened'];
    expect(kinds).toEqual(['disk.measured', ...asked, 'disk.measured', 'checkpoint.withdrawn', ...work]);
    expect(state.status).toBe('completed');
  });
});
