/**
 * How much processor time the processes of each delegation have used, and which there are: one look at all of them. When a
 * child ends its time goes to its parent, so that the sum does not fall as long as the first process lives.
 */
import { processStat } from './process-stat.ts';
import { findMarked } from './reap.ts';

export interface ProcessActivity {
  /** Hundredths of a second. */
  readonly ticks: number;
  /** Each by a name that no other process will ever have. */
  readonly processes: readonly string[];
}

/** What is not in the map has no process. */
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
    delegations.set(delegation, { ticks: ticks + more, processes: [...processes, `${pid}:${started}`] });
  }
  return { supported: true, delegations };
}
