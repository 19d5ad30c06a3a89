/** Looks whether the disk has space to start more, before the core decides; records it when the answer has changed. */
import type { NewEvent } from '../core/event/event.ts';
import type { LookAtDisk } from '../run-work/room-space.ts';
import { currentWave, openOf, type RunState } from '../core/state/state.ts';

/** Milliseconds between two looks while nothing else happens. */
export const lookAgainAfter = 5000;

export function takeDisk(state: RunState, look: LookAtDisk | undefined, record: (event: NewEvent) => void): void {
  if (look === undefined || state.status !== 'running' || state.disk.isAccepted) return;
  const found = look(widthOf(state)) ?? { free: 0, needs: 0 };
  const isLow = found.free < found.needs;
  if (isLow === (state.disk.low !== null)) return;
  record({ kind: 'disk.measured', ...found });
  if (isLow) return;
  for (const { id: checkpoint } of openOf(state, 'disk')) record({ kind: 'checkpoint.withdrawn', checkpoint });
}

/** Rooms of running tasks are there already. */
function widthOf(state: RunState): number {
  const { concurrency } = state.created.settings;
  return Math.max(1, Math.min(concurrency, currentWave(state).tasks.length) - state.active.size);
}
