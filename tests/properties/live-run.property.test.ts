import fc from 'fast-check';
import { expect, it } from 'vitest';
import { apply } from '../../src/core/apply/apply.ts';
import type { RunState } from '../../src/core/state/state.ts';
import { noCounts, standingIn } from '../../src/views/live/live-model.ts';
import { liveRun } from '../../src/views/live/live-run.ts';
import { liveView } from '../../src/views/live/live-view.ts';
import { simulate } from '../simulation/simulate.ts';
import { count } from './runs.ts';

function counted(state: RunState, wave?: number): Record<string, number> {
  const counts = noCounts();
  for (const task of state.tasks.values()) {
    if (wave === undefined || task.wave === wave) counts[standingIn(state, task)] += 1;
  }
  return counts;
}

it('counts from event to event what a look at every task would count, in any run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { events } = await simulate(seed);
      const run = liveRun();
      let state: RunState | undefined;
      for (const event of events) {
        state = apply(state, event);
        run.follow(event, state);
        const model = run.look(5);
        if (model === null) throw new Error('the run has begun');
        expect(model.counts).toEqual(counted(state));
        expect(model.wave?.counts).toEqual(counted(state, model.wave?.number));
        const running = [...state.active.values()].map(({ registered }) => registered.task);
        expect(model.tasks.map(({ id }) => id)).toEqual(expect.arrayContaining(running.slice(0, 5)));
        expect(liveView(model, { columns: 60, rows: 12 }, event.at).length).toBeLessThan(12);
      }
    }),
    { numRuns: count(30, 2000) },
  );
});
