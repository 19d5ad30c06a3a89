/**
 * Engine: the port that starts activities, asks people and waits for what happens next. Core and loop are the same on every engine.
 *
 * `race` is the only await of the loop. It resolves with everything that has happened since the last call, in order, and with at
 * least one item. Handles are keys, never promises: a distributed engine replays them. An engine may deliver an end twice; the loop
 * drops duplicates. `tests/conformance/engine.ts` checks these guarantees.
 */
import type { Activity } from '../core/attempt/activity.ts';
import type { Amendment } from '../core/event/amendment.ts';
import type { End, NewEvent } from '../core/event/event.ts';
import type { UpdateRequest } from '../core/event/update.ts';
import type { Outcome } from '../core/event/outcome.ts';
import type { Step } from '../core/decide/steps.ts';

/** The event that records a step. */
export type StepEvent = Extract<
  NewEvent,
  {
    kind:
      | 'base.checked'
      | 'task.verified'
      | 'task.merged'
      | 'task.conflicted'
      | 'gate.checked'
      | 'workspace.updated'
      | 'update.refused'
      | 'postflight.done';
  }
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

export interface ActivityEnd {
  readonly end: End;
  readonly outcome: Outcome;
}

/** `row` is its row in the inbox, which the loop removes with the event it becomes. */
export type Happening =
  | { readonly kind: 'noted'; readonly key: string; readonly note: Note }
  | ({ readonly kind: 'ended'; readonly key: string } & ActivityEnd)
  | { readonly kind: 'stepped'; readonly key: string; readonly event: StepEvent }
  /** A step was cancelled before it was done. */
  | { readonly kind: 'interrupted'; readonly key: string }
  | {
      readonly kind: 'answered';
      readonly key: string;
      readonly approved: boolean;
      readonly note?: string;
      readonly row?: number;
    }
  | { readonly kind: 'stop'; readonly how: StopKind; readonly row?: number }
  | { readonly kind: 'update'; readonly request: UpdateRequest; readonly row?: number }
  /** The time given to `wakeAt` has come. */
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'edited'; readonly edit: PlanEdited };

/** An edit of the plan file by another process or a person. */
export interface PlanEdited {
  readonly file: string;
  readonly hash: string;
  readonly amendments: readonly Amendment[];
  /** Amendments that need a person's yes. */
  readonly toConfirm: readonly Amendment[];
  /** Why parts of the edit cannot be applied. */
  readonly conflicts: readonly string[];
  /** The file is not a valid plan, so its content is unknown. */
  readonly isUnreadable?: true;
}

/** `pause`: starts nothing new and gives running work a grace period. `at-once`: ends running work. `cancel`: also ends the run. */
export type StopKind = 'pause' | 'at-once' | 'cancel';

export interface Engine {
  start(activity: Activity): void;
  /** Delivers `stepped`, or `interrupted` when it was cancelled. A repeated key starts nothing. */
  step(step: Step): void;
  /** An answer that came before its question is delivered now. */
  ask(question: Question): void;
  race(): Promise<readonly Happening[]>;
  /** Delivers `time` when the wall clock reaches it. Replaces the last call; undefined clears it. */
  wakeAt(time: number | undefined): void;
  /** Cancels everything that runs; each activity and step still delivers its end. */
  cancel(how: 'gently' | 'at-once'): void;
}
