/** Still running: the sign of life that a run prints between its events. */
import type { RunState } from '../../core/state/state.ts';
import { endedAt } from '../../core/state/task-state.ts';
import { shortDuration } from '../text/quantity.ts';
import type { Liveness } from './liveness.ts';

/** Liveness of a delegation's agent. */
type LivenessOf = (delegation: string) => Liveness | undefined;

/** A sign of life between events; undefined when nothing runs. */
export function stillRunning(state: RunState, now: number, seen: LivenessOf = () => undefined): string | undefined {
  const active = [...state.active.values()].map(({ registered: { task, at, delegation } }) => {
    const liveness = seen(delegation);
    const isWorking = liveness === undefined || liveness.state === 'working';
    return { task, at, why: isWorking ? '' : ` (${liveness.state}: ${liveness.evidence})` };
  });
  const settling = Array.from(state.index.settling, ([id, task]) => ({
    task: `verifying ${id}`,
    at: endedAt(task),
    why: '',
  }));
  const all = [...active, ...settling];
  if (all.length === 0) return undefined;
  const shown = all.slice(0, 8).map(({ task, at, why }) => `${task} for ${shortDuration(now - at)}${why}`);
  const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : '';
  return `  still running: ${shown.join(', ')}${more}`;
}
