/** Applies the events about a run's conductor: who it is, how often it was held without progress, whether it has left. */
import { defined } from '../../base/defined.ts';
import type { EventOf } from '../event/event.ts';
import type { Conductor } from '../state/conductor.ts';
import type { RunState } from '../state/state.ts';
import { illegal } from './illegal.ts';

export function takeConductor(state: RunState, { client, session, process }: EventOf<'run.conducted'>): void {
  state.conductor = { client, session, ...defined({ process }), holds: 0, left: null };
}

export function holdConductor(state: RunState, event: EventOf<'conductor.held'>): void {
  state.conductor = { ...conductorOf(state, event), holds: event.hold };
}

export function leaveConductor(state: RunState, event: EventOf<'conductor.left'>): void {
  state.conductor = { ...conductorOf(state, event), left: event.why };
}

/** It delegates: it is there, and makes progress. */
export function returnConductor(state: RunState): void {
  if (state.conductor !== null) state.conductor = { ...state.conductor, holds: 0, left: null };
}

/** The run has made progress: an agent has returned, or a person has answered. */
export function forgetHolds(state: RunState): void {
  if (state.conductor !== null) state.conductor = { ...state.conductor, holds: 0 };
}

function conductorOf({ conductor }: RunState, event: EventOf<'conductor.held' | 'conductor.left'>): Conductor {
  if (conductor === null) throw illegal(event, 'no conversation conducts the run');
  return conductor;
}
