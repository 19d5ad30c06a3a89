/**
 * The port to whatever makes work durable: start an activity, ask a person, wait for what happens next. The core and the
 * loop around it are the same on every engine.
 *
 * `race` is the only await of the loop. It resolves with everything that has happened since it was last called, in
 * order, and with at least one item. Handles are keys, plain data and never promises: a distributed engine replays them.
 * An engine may deliver an end twice; the loop drops what it has seen. `tests/conformance/engine.ts` has the promises.
 */
import type { Activity } from '../core/attempt/activity.ts';
import type { Amendment } from '../core/event/amendment.ts';
import type { End, NewEvent } from '../core/event/event.ts';
import type { Outcome } from '../core/event/outcome.ts';
import type { Step } from '../core/decide/steps.ts';

/** What a step brings. */
export type StepEvent = Extract<
  NewEvent,
  { kind: 'task.verified' | 'task.merged' | 'task.conflicted' | 'gate.checked' | 'postflight.done' }
>;

export interface Question {
  readonly key: string;
  readonly why: string;
}

/** A fact about an activity that is still running. */
export type Note = Extract<
  NewEvent,
  {
    kind: 'workspace.opened' | 'delegation.started' | 'conversation.opened' | 'permission.answered' | 'return.refused';
  }
>;

export interface Ended {
  readonly end: End;
  readonly outcome: Outcome;
}

/** `row` is the place in the inbox it came from; the loop takes it out with the event it becomes. */
export type Happening =
  | { readonly kind: 'noted'; readonly key: string; readonly note: Note }
  | ({ readonly kind: 'ended'; readonly key: string } & Ended)
  | { readonly kind: 'stepped'; readonly key: string; readonly event: StepEvent }
  /** A step was cancelled before it was done; nothing follows from it. */
  | { readonly kind: 'interrupted'; readonly key: string }
  | {
      readonly kind: 'answered';
      readonly key: string;
      readonly approved: boolean;
      readonly note?: string;
      readonly row?: number;
    }
  | { readonly kind: 'stop'; readonly how: StopKind; readonly row?: number }
  /** The time that was asked for has come. */
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'edited'; readonly edit: PlanEdited };

/** Someone else has changed the plan's file. */
export interface PlanEdited {
  readonly file: string;
  readonly hash: string;
  readonly amendments: readonly Amendment[];
  /** Those that a person has to agree to. */
  readonly toConfirm: readonly Amendment[];
  /** What of it cannot be taken over, in words. */
  readonly conflicts: readonly string[];
  /** It cannot be read as a plan: nothing is known of what it asks for. */
  readonly isUnreadable?: true;
}

/** `pause`: no new work, what runs gets a moment. `at-once`: what runs is ended. `cancel`: at once, and the run has ended. */
export type StopKind = 'pause' | 'at-once' | 'cancel';

export interface Engine {
  start(activity: Activity): void;
  /** Delivers `stepped`, or `interrupted` when it was cancelled. The same key twice is one step. */
  step(step: Step): void;
  /** An answer that came before its question waits for it. */
  ask(question: Question): void;
  race(): Promise<readonly Happening[]>;
  /** Delivers `time` when the wall clock has come to it. Only the last time that was asked for counts; undefined: none. */
  wakeAt(time: number | undefined): void;
  /** Ends what is running; each activity and each step still delivers its end. */
  cancel(how: 'gently' | 'at-once'): void;
}
