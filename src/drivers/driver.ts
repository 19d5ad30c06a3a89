/**
 * Driver: the port that runs an agent. An implementation turns one client (a command, an ACP agent, a recorded scenario) into
 * turns of text; it knows nothing of contracts, plans or the ledger.
 *
 * A conversation: start → turn ends → (repair → turn ends)* → close. `close` may be called at any time, more than once, and
 * resolves when no process of the conversation is left. An aborted signal ends the running turn with `cancelled`: gently, or
 * without delay when its reason is `at-once`.
 * `tests/conformance/driver.ts` checks every implementation.
 */
import type { Confinement } from '../process/confine/confinement.ts';
import type { KnownLink } from './leads-inside.ts';
import type { DelegationId } from '../base/ids.ts';
import type { JsonSchema } from '../contracts/write/json-schema.ts';
import type { ReturnWay } from '../contracts/return-way.ts';
import type { DelegationLimits } from '../base/delegation-limits.ts';
import type { Tier } from '../plan/plan.ts';
import type { TurnUsage } from '../dialects/usage.ts';

export interface DriverTask {
  readonly run: string;
  readonly delegation: DelegationId;
  readonly task: string;
  readonly attempt: number;
  readonly agent: string;
  /** It judges the work of others: it may change only its report and worklog. */
  readonly isReview: boolean;
  readonly tier: Tier;
  /** The whole prompt, contract included. */
  readonly prompt: string;
  /** The contract as a JSON schema, for clients whose agents can return by one. */
  readonly returnSchema: JsonSchema;
  /** The only tools it may use, by its client's names; absent for no limit. */
  readonly tools?: readonly string[];
  /** The turn in which one is reached fails with the cause `limit`. */
  readonly limits: DelegationLimits;
  /** Why a submitted result is not accepted, as a message to the agent; undefined if it is. */
  readonly refuse: (json: string) => Promise<string | undefined>;
  /** Absolute: where the agent works. */
  readonly directory: string;
  /** Links that lead out of the directory, made by Divisi. */
  readonly linked?: readonly KnownLink[];
  /** More variables of its environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What its programs may see and change; absent where they are not confined. */
  readonly confinement?: Confinement;
  /** Relative to the directory. */
  readonly reportPath: string;
  readonly worklogPath: string;
  /** Absolute: the agent's output, written as it arrives, to survive this process. */
  readonly outputFile: string;
  /** Absolute, without an extension: the client's own messages, raw. Unused by a driver without such messages. */
  readonly transcript: string;
  /** The conversation of the previous attempt, resumed if it is this driver's and the client can. */
  readonly resumes?: EarlierConversation;
}

/** A conversation by its client's own id. */
export interface OwnConversation {
  readonly driver: string;
  readonly id: string;
}

export interface EarlierConversation extends OwnConversation {
  /** It began in the task's directory. Some clients find no other. */
  readonly isHere: boolean;
}

/** News of a running turn. */
export type DriverNote =
  | { readonly kind: 'started'; readonly pid?: number }
  /** A later attempt can resume it by this id. */
  | ({ readonly kind: 'conversation' } & OwnConversation)
  /** The client asked whether its agent may do something, and was answered by policy. */
  | { readonly kind: 'permission'; readonly asked: string; readonly granted: boolean; readonly why: string };

/**
 * Why a turn failed. A quota is available again at `until`, in milliseconds of the wall clock, if the client says so.
 * `limit`: it reached a limit of the task. `environment`: the client runs but cannot work: no network, no credit. `authentication`:
 * no log-in or key, or a rejected one. A person has to fix both. `context-full`: the conversation does not fit into the model's
 * context. `refusal`: the provider declined to answer. `no-answer`: the client reports that its model answered nothing.
 */
export type TurnFailure =
  | {
      readonly cause:
        | 'exit'
        | 'signal'
        | 'environment'
        | 'authentication'
        | 'context-full'
        | 'refusal'
        | 'no-answer'
        | 'limit';
    }
  /** `isMissing`: its program was not found. */
  | { readonly cause: 'not-started'; readonly isMissing?: true }
  | { readonly cause: 'quota'; readonly until?: number };

/** How a turn ended, and its usage. `message` is the client's error, cut to a few lines; `said` is the output until then. */
export type Turn = { readonly usage?: TurnUsage } &
  /** `via` is absent for a message; otherwise the text is one JSON object. */
  (
    | {
        readonly end: 'returned';
        readonly text: string;
        readonly via?: 'tool' | 'schema';
        /** A text that has no return is accepted if files changed. */
        readonly exitCodeIsEnough?: true;
      }
    | ({ readonly end: 'failed'; readonly message: string; readonly said: string } & TurnFailure)
    | { readonly end: 'cancelled'; readonly said: string }
  );

export interface Conversation {
  /** The end of the first turn. Never rejects for anything an agent does; a rejection is a bug in the driver. */
  readonly first: Promise<Turn>;
  /** Asks the same agent for its return again; null if this driver cannot. Called only after a turn returned. */
  readonly repair: (message: string) => Promise<Turn> | null;
  readonly close: () => Promise<void>;
}

export interface Driver {
  readonly name: string;
  /** The way to return that the agent is given; it may use its last message all the same. */
  returnWay(task: Pick<DriverTask, 'agent' | 'tier' | 'isReview' | 'tools'>): ReturnWay;
  start(task: DriverTask, signal: AbortSignal, note: (note: DriverNote) => void): Conversation;
  /**
   * The output of the last turn of a dead orchestrator's delegation; null if it is empty, or the turn is known not to have
   * returned. It may be incomplete: check it against the contract. Called after the process is gone.
   */
  recover(task: DriverTask): Promise<string | null>;
}
