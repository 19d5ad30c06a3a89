/** Whether an agent at work could have written the plan's file: then an edit of it is not known to be a person's. */
import { runKind } from '../../core/event/run-kind.ts';
import type { RunState } from '../../core/state/state.ts';

/** Agents of a conversation work in the checkout, where the file lies; those that are not confined go wherever they like. */
export function planIsReachable({ created }: RunState, isUnconfined: boolean): boolean {
  return isUnconfined || runKind(created) === 'conducted';
}
