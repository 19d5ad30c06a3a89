/** Work in the simulated world: of uneven length, ending in every way, and noticing when it should never have begun. */
import type { Outcome } from '../../src/core/outcome.ts';
import type { Activity, Ended } from '../../src/engine/engine.ts';
import type { Perform } from '../../src/engine/local/local-engine.ts';
import type { PlanTask } from '../../src/plan/plan.ts';
import { scopesOverlap } from './invariants.ts';
import type { Random } from './random.ts';
import type { Simulation } from './simulate.ts';

const outcome = (status: Outcome['status']): Outcome => ({ status, summary: '', files: [], repairs: 0, degraded: [] });

export function performIn(sim: Simulation, token: number, owner: object): Perform {
  const { random, world, performing, tasks } = sim;
  return async (activity: Activity, signal, note) => {
    const { key, task } = activity;
    const own = tasks.get(task.id) as PlanTask;
    if (sim.token !== token) sim.broken.push(`${task.id} was started by an orchestrator that had been replaced`);
    for (const other of performing.values()) {
      if (other === task.id) sim.broken.push(`${task.id} was performed twice at the same time`);
      else if (scopesOverlap(own, tasks.get(other) as PlanTask))
        sim.broken.push(`${task.id} and ${other} worked in overlapping scopes`);
    }
    performing.set(key, task.id);
    const after = async (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        world.clockOf(owner).after(milliseconds, resolve);
      });
    const { delegation } = activity.registered;
    if (random.chance(0.5)) note({ kind: 'delegation.started', delegation, pid: 1 + random.below(1000) });
    if (random.chance(0.2)) note({ kind: 'return.refused', delegation, repair: 1, violations: ['x'] });
    await Promise.race([
      after(random.chance(0.2) ? 0 : random.below(random.chance(0.2) ? 10_000 : 300)),
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      }),
    ]);
    if (signal.aborted && random.chance(0.5)) await after(random.below(50));
    const ended = endOf(random, signal.aborted && random.chance(0.8));
    performing.delete(key);
    sim.said.set(key, ended);
    if (random.chance(0.3)) await after(random.below(20));
    return ended;
  };
}

function endOf(random: Random, cancelled: boolean): Ended {
  if (cancelled) return { end: 'cancelled', outcome: outcome('partial') };
  if (random.chance(0.85)) return { end: 'returned', outcome: outcome('completed') };
  if (random.chance(0.2)) return { end: 'timed-out', outcome: outcome('partial') };
  if (random.chance(0.1)) return { end: 'lost', outcome: outcome('partial') };
  return { end: 'returned', outcome: outcome(random.pick(['failed', 'blocked', 'partial'])) };
}
