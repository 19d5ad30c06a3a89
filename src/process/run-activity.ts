/**
 * Measures the processes of each delegation and their processor time, in one pass. The time of a child that ended is added to its
 * parent: the sum does not fall while the first process runs.
 */
import { processStat, readProcess } from './process-stat.ts';
import { findMarked } from './reap.ts';

export interface ProcessActivity {
  /** Hundredths of a second. */
  readonly ticks: number;
  /** Unique across pid reuse. */
  readonly processes: readonly string[];
}

/** A delegation that is not in the map has no process. */
export type RunActivity =
  | { readonly supported: true; readonly delegations: ReadonlyMap<string, ProcessActivity> }
  | { readonly supported: false };

export function runActivity(run: string): RunActivity {
  const found = findMarked(run);
  if (!found.supported) return found;
  const delegations = new Map<string, ProcessActivity>();
  for (const { pid, started, delegation } of found.processes) {
    const { ticks, processes } = delegations.get(delegation) ?? { ticks: 0, processes: [] };
    const more = processStat(pid)?.ticks ?? 0;
    // Those that confine the others do nothing themselves.
    const one = readProcess(pid, 'comm') === 'bwrap\n' ? [] : [`${pid}:${started}`];
    delegations.set(delegation, { ticks: ticks + more, processes: [...processes, ...one] });
  }
  return { supported: true, delegations };
}
