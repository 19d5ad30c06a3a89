/** Asks the core again after each round of decisions until none that the caller takes is left. */
import type { RunState } from '../state/state.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';

/** `take` changes the state. Returns the last decisions, all of which the caller leaves. */
export function decideUntilQuiet<Taken extends Decision>(
  state: RunState,
  isTaken: (decision: Decision) => decision is Taken,
  take: (decision: Taken) => void,
): readonly Decision[] {
  for (;;) {
    const all = decide(state);
    const taken = all.filter(isTaken);
    if (taken.length === 0) return all;
    for (const decision of taken) take(decision);
  }
}
