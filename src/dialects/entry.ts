/**
 * Entry: one thing a client's message says, in words shared by all clients. Drivers follow a turn by its entries,
 * `divisi logs` shows them. Texts are as they were on the wire: the consumer redacts and escapes them.
 */
import type { LimitName } from '../base/delegation-limits.ts';
import type { TurnUsage } from './usage.ts';

export type Entry = { readonly at?: number } & (
  | { readonly kind: 'conversation'; readonly id: string }
  | { readonly kind: 'sent'; readonly text: string }
  /** The agent's model begins an answer; only from clients that mark it. */
  | { readonly kind: 'answer-begun' }
  /** `piece`: continues the last entry of its kind. `nested`: said by an agent that this agent started. */
  | { readonly kind: 'said'; readonly text: string; readonly piece?: true; readonly nested?: true }
  | { readonly kind: 'thought'; readonly text: string; readonly piece?: true }
  /** Repeated with the same id when more is known about the call. */
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly argument: string }
  | {
      readonly kind: 'tool-ended';
      readonly id: string;
      readonly name: string;
      readonly argument: string;
      readonly failed: boolean;
      /** The exit code or the reason of a failure; empty if there is nothing to add. */
      readonly detail: string;
    }
  /** The agent asked Divisi for permission, and the answer. */
  | { readonly kind: 'asked'; readonly what: string }
  | { readonly kind: 'answered'; readonly granted: boolean; readonly how: string }
  /** The client denied its agent a tool call without asking Divisi. */
  | { readonly kind: 'refused'; readonly asked: string; readonly why: string }
  /** The client waits or retries, and continues without help. `error`: every word of the reason, where the text abbreviates it. */
  | { readonly kind: 'waits'; readonly text: string; readonly error?: string }
  /**
   * `text`: the counts as the client itemises them, empty for an interim count. `usage`: the turn so far; it replaces the one
   * before, and is absent where only the text is known.
   */
  | { readonly kind: 'usage'; readonly text: string; readonly usage?: TurnUsage }
  /** The turn failed, unless it returns later. `text` has every word and code of the error. */
  | ({ readonly kind: 'error' } & ClientError)
  /** The client reports success: the only proof of a return. A later error revokes it. */
  | { readonly kind: 'returned'; readonly text: string; readonly via?: 'schema' }
  | { readonly kind: 'note'; readonly text: string }
);

/** An error in a client's own words. */
export interface ClientError {
  readonly text: string;
  /** Milliseconds of the wall clock: the quota is available again. */
  readonly until?: number;
  /** The limit of Divisi that it reached. */
  readonly limit?: LimitName;
}

/** Reads one client's messages in order and keeps state between them. Never throws, whatever the message is. */
export type EntryReader = (message: unknown) => readonly Entry[];
