/** A dialect: how a request is read and an answer is written, once as a whole and once as a stream of events. */
import type { Conversation, JsonObject, Tokens, ToolCall } from './script.ts';

export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Tokens;
  /** The vendor's safety rules ended the answer. */
  readonly isRefusal?: true;
}

export interface StreamEvent {
  /** The `event:` line, of the dialects that have one. */
  readonly event?: string;
  readonly data: unknown;
}

export interface Dialect {
  readonly read: (body: JsonObject, path: string) => Conversation;
  readonly whole: (answer: Answer) => unknown;
  readonly stream: (answer: Answer) => readonly StreamEvent[];
  /** What a stream begins with when nothing follows. */
  readonly opening: (answer: Answer) => readonly StreamEvent[];
  readonly error: (status: number, message: string) => unknown;
}
