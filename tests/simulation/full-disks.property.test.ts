/** Worlds whose disk is full at times: see `invariants.ts`. */
import { expect, it } from 'vitest';
import { count } from '../properties/runs.ts';
import { simulate } from './simulate.ts';

const seeds = count(40, 1000);

it(`holds its invariants in ${seeds} worlds with full disks`, async () => {
  const seen = { full: 0, asked: 0, accepted: 0, rejected: 0 };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { events, broken } = await simulate(seed, { hasFullDisks: true });
    expect(broken, `seed ${seed}`).toEqual([]);
    const asked = new Set<string>();
    for (const event of events) {
      if (event.kind === 'disk.measured' && event.free < event.needs) seen.full += 1;
      if (event.kind === 'checkpoint.opened' && event.type === 'disk') {
        seen.asked += 1;
        asked.add(event.checkpoint);
      }
      if (event.kind === 'checkpoint.answered' && asked.has(event.checkpoint))
        seen[event.approved ? 'accepted' : 'rejected'] += 1;
    }
  }
  // A world with space enough would prove nothing.
  expect(Object.entries(seen).filter(([, times]) => times < seeds / 40)).toEqual([]);
});
