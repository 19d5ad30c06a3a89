/** What is particular about a program that is started for one turn and writes JSON, one object per line. */
import type { DriverTask, ReturnWay } from '../driver.ts';
import type { Strength } from '../profiles/strength.ts';
import type { EntryReader } from '../../dialects/entry.ts';

export interface OneShotTurn {
  readonly task: DriverTask;
  readonly strength: Strength;
  /** The prompt, or the message of a repair. */
  readonly prompt: string;
  /** The conversation to go on with; absent for a new one. */
  readonly conversation?: string;
  /** Absolute: a folder of this turn alone, for files the program is to read. It is there. */
  readonly files: string;
  readonly isReview: boolean;
  /** What the program will find in its environment, without what the call adds. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface OneShotCall {
  /** Without the program. A prompt has no place here: one argument holds 128 KiB, and everyone on the machine can read it. */
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** On its standard input; nothing when absent. */
  readonly input?: string;
  /** Files that it reads, by their names in `files`. */
  readonly write?: Readonly<Record<string, string>>;
  /** Folders that must be there when it starts, by their paths in the task's directory. */
  readonly folders?: readonly string[];
}

export interface OneShot {
  /** The program is looked up on the PATH. */
  readonly program: string;
  readonly returnWay: ReturnWay;
  /** Whether it finds a conversation again in another folder, as a further attempt at a task has one. */
  readonly resumesElsewhere: boolean;
  readonly call: (turn: OneShotTurn) => OneShotCall;
  /** For the output of one turn. */
  readonly reader: () => EntryReader;
  /** How it says that it does not know a conversation it was to go on with. */
  readonly forgotten: RegExp;
  /** What it says of usage is of the whole conversation, the turns before included. */
  readonly countsConversation?: true;
}
