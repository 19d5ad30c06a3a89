/** Progress lines about a full disk, and about questions that have become void. */
import type { EventOf } from '../../core/event/event.ts';
import { diskText } from '../../core/state/disk.ts';
import type { RunState } from '../../core/state/state.ts';

export function diskLine(event: EventOf<'disk.measured'>): string {
  return event.free < event.needs ? `waiting for disk space: ${diskText(event)}` : 'enough disk space again';
}

export function withdrawnLine(
  { checkpoint }: EventOf<'checkpoint.withdrawn'>,
  { checkpoints }: Pick<RunState, 'checkpoints'>,
): string {
  const isDisk = checkpoints.some(({ id, kind }) => id === checkpoint && kind === 'disk');
  return `${checkpoint} withdrawn: ${isDisk ? 'there is enough disk space again' : 'the plan was edited again'}`;
}
