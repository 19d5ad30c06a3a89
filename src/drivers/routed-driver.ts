/**
 * Several drivers as one: each task goes to its agent's own, or else to that of its tier, or else to the run's. A task that
 * is escalated may so go from one vendor to another.
 */
import type { Tier } from '../plan/plan.ts';
import type { Driver, DriverTask } from './driver.ts';

export interface Routes {
  /** What a run uses where nothing more particular is said. */
  readonly standard: Driver;
  readonly byTier: ReadonlyMap<Tier, Driver>;
  /** By the name of the agent, without the prefix of a plugin. */
  readonly byAgent: ReadonlyMap<string, Driver>;
}

export function routedDriver(routes: Routes): Driver {
  const { standard, byTier, byAgent } = routes;
  if (byTier.size + byAgent.size === 0) return standard;
  const driverOf = ({ agent, tier }: Pick<DriverTask, 'agent' | 'tier'>): Driver =>
    byAgent.get(agent.slice(agent.lastIndexOf(':') + 1)) ?? byTier.get(tier) ?? standard;
  return {
    name: standard.name,
    returnWay: (task) => driverOf(task).returnWay(task),
    start: (task, signal, note) => driverOf(task).start(task, signal, note),
    recover: (task) => driverOf(task).recover(task),
  };
}
