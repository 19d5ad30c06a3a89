/** OneShot: how to call one program for a single turn, and how to read the JSON lines it writes. */
import type { ReturnWay } from '../../contracts/return-way.ts';
import type { DriverTask } from '../driver.ts';
import type { Strength } from '../profiles/strength.ts';
import type { EntryReader } from '../../dialects/entry.ts';

export interface OneShotTurn {
  readonly task: DriverTask;
  readonly strength: Strength;
  /** The prompt, or the message of a repair. */
  readonly prompt: string;
  /** The conversation to resume; absent for a new one. */
  readonly conversation?: string;
  /** Absolute: an existing folder for this turn only, for files the program reads. */
  readonly files: string;
  readonly isReview: boolean;
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
}

export interface OneShot {
  /** The program is looked up on the PATH. */
  readonly program: string;
  readonly returnWay: Exclude<ReturnWay, 'exit-code'>;
  /** It can resume a conversation in another folder: each attempt at a task has its own. */
  readonly resumesElsewhere: boolean;
  readonly call: (turn: OneShotTurn) => OneShotCall;
  /** A new reader for the output of one turn. */
  readonly reader: () => EntryReader;
  /** Its error for a conversation to resume that it does not know. */
  readonly unknownConversation: RegExp;
  /** Its usage counts the whole conversation, earlier turns included. */
  readonly countsConversation?: true;
}
