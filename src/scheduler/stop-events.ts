/** A run that nobody works on is stopped on paper: what was left running has been reaped, and is accounted for. */
import { divisiError } from '../base/error.ts';
import type { NewEvent } from '../core/event/event.ts';
import { isOver, type RunState } from '../core/state/state.ts';
import { type Recover, reconcile } from './reconcile.ts';

export async function stopEvents(state: RunState, how: 'pause' | 'cancel', recover: Recover): Promise<NewEvent[]> {
  const { status, created } = state;
  if (isOver(status)) {
    throw divisiError('RUN_ENDED', {
      message: `${created.run} has ended already: ${status}`,
      next: `\`divisi report ${created.run}\` shows what became of it.`,
      ids: { run: created.run },
    });
  }
  const found = await reconcile(state, recover);
  if (how === 'cancel') return [...found, { kind: 'run.ended', status: 'cancelled' }];
  return status === 'paused' ? [] : [...found, { kind: 'run.paused', reason: 'stopped', for: 'stop' }];
}
