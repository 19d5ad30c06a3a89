/** Appends events outside a round of the loop: a run's first events, and those of other parts of the product. */
import { apply } from '../core/apply/apply.ts';
import { type NewEvent, type RunEvent, stamp } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { Lease } from './lease.ts';

export interface RecordDeps {
  readonly lease: Pick<Lease, 'append'>;
  readonly clock: { now(): number };
  /** Called once the events are durable. */
  readonly committed: (events: readonly RunEvent[], state: RunState) => void;
}

export interface Gathered {
  /** Applies the event at once; it becomes durable with the others. */
  readonly record: (event: NewEvent) => RunEvent;
  /** Commits all of them or none: a crash in between leaves nothing half done. */
  readonly commit: () => void;
}

/** Collects several events, each of which depends on the state after the one before. */
export function gatherEvents(state: RunState, { lease, clock, committed }: RecordDeps): Gathered {
  const events: RunEvent[] = [];
  return {
    record(event) {
      const whole = stamp(event, clock.now());
      apply(state, whole);
      events.push(whole);
      return whole;
    },
    commit() {
      if (events.length === 0) return;
      lease.append(events);
      committed(events, state);
    },
  };
}

/** `state` is the caller's own, or undefined for a new run; returns the state after these events. */
export function recordEvents(state: RunState | undefined, events: readonly NewEvent[], deps: RecordDeps): RunState {
  const whole = events.map((event) => stamp(event, deps.clock.now()));
  let after = state;
  for (const event of whole) after = apply(after, event);
  if (after === undefined) throw new Error('a run begins with an event');
  deps.lease.append(whole);
  deps.committed(whole, after);
  return after;
}
