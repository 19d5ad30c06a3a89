/** Repeats `decide` until it returns no decision that the caller takes. */
import type { RunState } from '../state/state.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';

/** `take` changes the state. Returns the last decisions, none of which the caller takes. */
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
