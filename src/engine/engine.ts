/**
 * The port to whatever makes work durable: start an activity, ask a person, wait for what happens next. The core and the
 * loop around it are the same on every engine.
 *
 * `race` is the only await of the loop. It resolves with everything that has happened since it was last called, in
 * order, and with at least one item. Handles are plain data, never promises: a distributed engine replays them.
 * An engine may deliver an end twice; the loop drops what it has seen. `tests/conformance/engine.ts` has the promises.
 */
import type { End, NewEvent, Outcome } from '../core/event.ts';

/** One attempt at a task. `key` is the delegation's id: starting the same key twice starts it once. */
export interface Activity {
  readonly key: string;
  readonly task: string;
  readonly attempt: number;
}

export interface Question {
  readonly key: string;
  readonly why: string;
}

/** A fact about an activity that is still running. */
export type Note = Extract<NewEvent, { kind: 'delegation.started' | 'return.refused' }>;

export type Happening =
  | { readonly kind: 'noted'; readonly key: string; readonly note: Note }
  | { readonly kind: 'ended'; readonly key: string; readonly end: End; readonly outcome: Outcome }
  | { readonly kind: 'answered'; readonly key: string; readonly approved: boolean; readonly note?: string }
  /** Someone asked the run to stop: a signal, or a row in the inbox. */
  | { readonly kind: 'stop'; readonly how: 'pause' | 'cancel' };

export interface Engine {
  start(activity: Activity): void;
  ask(question: Question): void;
  race(): Promise<readonly Happening[]>;
  /** Ends what is running: each still delivers its end, as `cancelled`. */
  cancel(how: 'gently' | 'at-once'): void;
}
