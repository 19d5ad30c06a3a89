/** OneShot: how to call one program for a single turn, and how to read the JSON lines it writes. */
import type { ReturnWay } from '../../contracts/return-way.ts';
import type { DriverTask } from '../driver.ts';
import type { DelegationLimits } from '../../base/delegation-limits.ts';
import type { LimitWays } from '../profiles/limit-ways.ts';
import type { Strength } from '../profiles/strength.ts';
import type { EntryReader } from '../../dialects/entry.ts';

export interface OneShotTurn {
  /** What is left of the task's limits. */
  readonly left: DelegationLimits;
  readonly task: DriverTask;
  readonly strength: Strength;
  /** The prompt, or the message of a repair. */
  readonly prompt: string;
  /** The conversation to resume; absent for a new one. */
  readonly conversation?: string;
  /** The id for a new conversation; absent if the program chooses it. */
  readonly newConversation?: string;
  /** Absolute: an existing folder for this turn only, for files the program reads. */
  readonly files: string;
  readonly isReview: boolean;
  /** A sandbox of its own would not start inside of ours, which holds instead. */
  readonly isConfined: boolean;
  /** The program's environment, without the variables of the call. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface OneShotCall {
  /** Without the program, and never the prompt: one argument holds 128 KiB, and every user of the machine can read it. */
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Its standard input; absent for none. */
  readonly input?: string;
  /** Files that it reads: name in `files` → text. */
  readonly write?: Readonly<Record<string, string>>;
  /** Folders that must exist when it starts, relative to the task's directory. */
  readonly folders?: readonly string[];
  /** Confined, it may change nothing of its room but these. */
  readonly changesOnly?: readonly string[];
}

export interface OneShot {
  /** The program is looked up on the PATH. */
  readonly program: string;
  readonly returnWay: Exclude<ReturnWay, 'exit-code' | 'tool-report'>;
  /** It can resume a conversation in another folder. In the same one, every program can. */
  readonly resumesElsewhere: boolean;
  readonly call: (turn: OneShotTurn) => OneShotCall;
  /** A new reader for the output of one turn. */
  readonly reader: () => EntryReader;
  /** Its error for a conversation to resume that it does not know, or for the id of a new one that it has already. */
  readonly unusableConversation: RegExp;
  /** A new conversation can be given its id, a UUID: it is known before the program starts. */
  readonly takesConversationId?: true;
  readonly limits: LimitWays;
  /** Its usage counts the whole conversation, earlier turns included. */
  readonly countsConversation?: true;
}
