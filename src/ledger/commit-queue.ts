/**
 * CommitQueue: the only way an event enters a run. Stamps, applies and appends events in one order, one transaction at a time, and
 * notifies its followers once they are durable.
 *
 * Refuses a commit while a transaction is open, and every commit after one that failed, for the same reason: the state in memory is then ahead of the
 * ledger. A worker, in this process or on another machine, never commits; it reports to the session that holds the run's lease.
 */
import { apply } from '../core/apply/apply.ts';
import { type NewEvent, type RunEvent, stamp } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { Lease } from './lease.ts';

export interface CommitDeps {
  readonly lease: Pick<Lease, 'append'>;
  readonly clock: { now(): number };
}

export interface Transaction {
  /** Applied at once, durable with the others. */
  readonly record: (event: NewEvent) => RunEvent;
  /** Appends all events and deletes the consumed inbox rows, or neither. Does nothing if both are empty. */
  readonly commit: (consumed?: readonly number[]) => void;
}

export type Follower = (events: readonly RunEvent[], state: RunState) => void;

export interface CommitQueue {
  /** Durable when it returns. */
  readonly commit: (events: readonly NewEvent[]) => void;
  /** For events that each depend on the state after the one before. */
  readonly begin: () => Transaction;
  /** Called after each commit with its events, in the order of subscription. Not awaited. */
  readonly follow: (follower: Follower) => void;
  /** The number of the last event committed here; 0 before the first commit. */
  readonly head: () => number;
}

export function commitQueue(state: RunState, { lease, clock }: CommitDeps): CommitQueue {
  const followers: Follower[] = [];
  let status: 'idle' | 'open' = 'idle';
  let failure: { readonly error: unknown } | undefined;
  let head = 0;

  function begin(): Transaction {
    if (failure !== undefined) throw failure.error;
    if (status !== 'idle') throw new Error(`${state.created.run} cannot commit: its queue is ${status}`);
    status = 'open';
    const events: RunEvent[] = [];
    return {
      record(event) {
        const whole = stamp(event, clock.now());
        apply(state, whole);
        events.push(whole);
        return whole;
      },
      commit(consumed = []) {
        try {
          if (events.length + consumed.length > 0) head = lease.append(events, consumed);
        } catch (error) {
          failure = { error };
          throw error;
        }
        status = 'idle';
        if (events.length > 0) for (const follower of followers) follower(events, state);
      },
    };
  }

  return {
    begin,
    commit(events) {
      const { record, commit } = begin();
      for (const event of events) record(event);
      commit();
    },
    follow: (follower) => void followers.push(follower),
    head: () => head,
  };
}

/** The state after the first events of a run, in memory only. */
export function foldFirst(
  events: readonly NewEvent[],
  clock: CommitDeps['clock'],
): { readonly state: RunState; readonly events: readonly RunEvent[] } {
  const whole = events.map((event) => stamp(event, clock.now()));
  let state: RunState | undefined;
  for (const event of whole) state = apply(state, event);
  if (state === undefined) throw new Error('a run starts with an event');
  return { state, events: whole };
}

/** Creates the run; later events go through its queue. */
export function commitFirst(events: readonly NewEvent[], { lease, clock }: CommitDeps): ReturnType<typeof foldFirst> {
  const first = foldFirst(events, clock);
  lease.append(first.events);
  return first;
}
