/**
 * The port through which an agent is run. An implementation turns one client (a command, an ACP agent, a recorded
 * scenario) into turns of text; it knows nothing of contracts, plans or the ledger.
 *
 * A conversation: start → turn ends → (repair → turn ends)* → close. `close` may be called at any time, more than once, and
 * resolves when no process of the conversation is left. An aborted signal ends the running turn with `cancelled`: gently, or
 * without delay when its reason is `at-once`.
 * `tests/conformance/driver.ts` states what every implementation promises.
 */
import type { DelegationId } from '../base/ids.ts';
import type { JsonSchema } from '../contracts/write/json-schema.ts';
import type { ReturnWay } from '../contracts/return-way.ts';
import type { Tier } from '../plan/plan.ts';
import type { Usage } from '../dialects/usage.ts';

export type { ReturnWay };

export interface DriverTask {
  readonly run: string;
  readonly delegation: DelegationId;
  readonly task: string;
  readonly attempt: number;
  readonly agent: string;
  readonly tier: Tier;
  /** The whole prompt, contract included. */
  readonly prompt: string;
  /** What the contract asks for, for clients through which an agent can return by a schema. */
  readonly returnSchema: JsonSchema;
  /** The only tools it may use, by its client's names for them; absent where nobody has limited them. */
  readonly tools?: readonly string[];
  /** Absolute: where the agent works. */
  readonly directory: string;
  /** Relative to the directory. */
  readonly reportPath: string;
  readonly worklogPath: string;
  /** Absolute: what the agent says is kept here as it says it, so that it outlives this process. */
  readonly outputFile: string;
  /** Absolute, without an ending: the client's own messages are kept here, raw. A driver without such messages keeps none. */
  readonly transcript: string;
  /** The conversation of the attempt before, which is gone on with where it was this driver's and the client can. */
  readonly resumes?: OwnConversation;
}

/** A conversation as its client knows it. */
export interface OwnConversation {
  readonly driver: string;
  readonly id: string;
}

/** What is worth knowing while a turn lasts. */
export type DriverNote =
  | { readonly kind: 'started'; readonly pid?: number }
  /** By this it could be gone on with later. */
  | ({ readonly kind: 'conversation' } & OwnConversation)
  /** The client asked whether its agent may do something, and was answered by policy. */
  | { readonly kind: 'permission'; readonly asked: string; readonly granted: boolean; readonly why: string };

/**
 * Why a turn failed. A quota is there again at `until`, in milliseconds of the wall clock, where the client says so.
 * `environment`: the client runs and cannot work: no log-in, no network, no credit. That is for a person to mend.
 */
export type TurnFailure =
  | { readonly cause: 'exit' | 'signal' | 'not-started' | 'environment' }
  | { readonly cause: 'quota'; readonly until?: number };

/**
 * How a turn ends, and what it used. `failed` carries what the client said, cut to a few lines; `said` is what it had
 * written until then.
 */
export type Turn = { readonly usage?: Usage } &
  /** By another way than its last words, the text is one JSON object. `via` is absent for a message. */
  (
    | { readonly end: 'returned'; readonly text: string; readonly via?: Exclude<ReturnWay, 'message'> }
    | ({ readonly end: 'failed'; readonly message: string; readonly said: string } & TurnFailure)
    | { readonly end: 'cancelled'; readonly said: string }
  );

export interface Conversation {
  /** The end of the first turn. Never rejects for what an agent does; a rejection is a fault of the driver. */
  readonly first: Promise<Turn>;
  /** Asks the same agent for its return again; null when this driver has no way to do so. Called only after a turn has returned. */
  readonly repair: (message: string) => Promise<Turn> | null;
  readonly close: () => Promise<void>;
}

export interface Driver {
  readonly name: string;
  /** What the agent of such a task is told about returning; it may use its last words all the same. */
  returnWay(task: Pick<DriverTask, 'agent' | 'tier'>): ReturnWay;
  start(task: DriverTask, signal: AbortSignal, note: (note: DriverNote) => void): Conversation;
  /**
   * What the last turn of a dead orchestrator's delegation said; null when that is nothing, or the turn is known not to have
   * returned. Whether it is whole nobody saw: hold it against the contract. The process is gone by the time this is asked.
   */
  recover(task: DriverTask): Promise<string | null>;
}
