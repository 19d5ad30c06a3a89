/** Thousands of seeds in the long run, some of them in every run. A failing seed is printed, and fails the same way again. */
import { expect, it } from 'vitest';
import { isLong } from '../properties/runs.ts';
import { simulate } from './simulate.ts';

const seeds = isLong ? 10_000 : 400;

it(`holds its invariants in ${seeds} simulated worlds`, async () => {
  let [events, crashes, incarnations] = [0, 0, 0];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const simulated = await simulate(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    });
    expect(simulated.broken, `seed ${seed}`).toEqual([]);
    events += simulated.events.length;
    crashes += simulated.crashes;
    incarnations += simulated.incarnations;
  }
  // A world in which nothing goes wrong would prove nothing.
  expect(crashes).toBeGreaterThan(seeds / 2);
  expect(incarnations).toBeGreaterThan(seeds * 1.5);
  expect(events).toBeGreaterThan(seeds * 20);
});
