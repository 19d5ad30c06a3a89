/** Finds the workspace facts that hold now, and those that a room was made with: an update of the run replaces them. */
import type { RoomFacts, WorkspaceFacts } from '../event/verification.ts';
import type { RunState } from './state.ts';

type Workspaces = Pick<RunState, 'workspaces'>;

/** Undefined for a program that brings its own workers. */
export function workspaceOf({ workspaces }: Workspaces): WorkspaceFacts | undefined {
  return workspaces.at(-1);
}

/** A room keeps what it was given when it was made. */
export function workspaceOfRoom({ workspaces }: Workspaces, { updates = 0 }: RoomFacts): WorkspaceFacts | undefined {
  return workspaces[updates];
}

/** A room made now has this number, see `RoomFacts`; absent before the first update. */
export function updatesSoFar({ workspaces }: Workspaces): Pick<RoomFacts, 'updates'> {
  return workspaces.length > 1 ? { updates: workspaces.length - 1 } : {};
}
