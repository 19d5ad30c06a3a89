/** Applies the events of an update: requested, then done or refused, one after the other. */
import type { EventOf } from '../event/event.ts';
import { workspaceOf } from '../state/current-workspace.ts';
import { openOf, type RunState } from '../state/state.ts';
import { illegal } from './illegal.ts';

/** The id of the next update of the run. */
export function nextUpdate({ requested }: RunState): { readonly update: string } {
  return { update: `update-${requested + 1}` };
}

export function requestUpdate(state: RunState, event: EventOf<'update.requested'>): void {
  if (event.update !== nextUpdate(state).update) throw illegal(event, `${event.update} is not the next one`);
  state.requested += 1;
  state.updates = [...state.updates, event];
}

/** True if this update is the next one, and no merge is in progress. */
export function awaitsUpdate({ updates, merge }: RunState, update: string): boolean {
  return updates[0]?.update === update && merge === null;
}

function endUpdate(
  state: RunState,
  event: EventOf<'workspace.updated' | 'update.refused'>,
): EventOf<'update.requested'> {
  const [first, ...others] = state.updates;
  if (first === undefined || !awaitsUpdate(state, event.update)) throw illegal(event, `${event.update} is not due`);
  state.updates = others;
  return first;
}

/** The base moves with a merge: what the run has added since is what differs from it. */
export function updateWorkspace(state: RunState, event: EventOf<'workspace.updated'>): void {
  const { workspace, commit } = endUpdate(state, event);
  const before = workspaceOf(state);
  if (before === undefined) throw illegal(event, 'the run has no workspace');
  const base = event.head === undefined ? before.base : (commit ?? before.base);
  state.workspaces = [...state.workspaces, { ...workspace, base }];
  forgetBase(state);
  state.head = event.head ?? state.head;
  const known = new Set(state.stale.map(({ task }) => task));
  state.stale = [...state.stale, ...event.stale.filter(({ task }) => !known.has(task))];
}

/** Commands are checked again at the new base, where they will be needed; the answers about red ones stay. */
function forgetBase(state: RunState): void {
  for (const one of openOf(state, 'base')) one.status = 'replaced';
}

export function refuseUpdate(state: RunState, event: EventOf<'update.refused'>): void {
  endUpdate(state, event);
}
