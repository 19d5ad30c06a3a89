/** What is particular about a program that is started for one turn and writes JSON, one object per line. */
import type { DriverTask, ReturnWay } from '../driver.ts';
import type { Strength } from '../profiles/strength.ts';
import type { ToldError } from '../profiles/failure-row.ts';
import type { Usage } from '../usage.ts';

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

/** What one line of the program's output says; a line may say several things, and most say none. */
export type Told =
  | { readonly kind: 'conversation'; readonly id: string }
  /** A piece of what the agent says, for people who look on. */
  | { readonly kind: 'said'; readonly text: string }
  /** The program waits by itself and goes on. */
  | { readonly kind: 'waits'; readonly why: string }
  /** Of the turn so far: what is told later takes the place of what was told before. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  /** The program has not let its agent do something. */
  | { readonly kind: 'refused'; readonly asked: string; readonly why: string }
  /** The turn has failed, unless it goes on to return. */
  | { readonly kind: 'error'; readonly error: ToldError }
  /** The positive end without which there is no success; an error after it takes it back. */
  | { readonly kind: 'returned'; readonly text: string; readonly via?: Exclude<ReturnWay, 'message'> };

/** Keeps what it needs between lines, and throws at nothing. */
export type Reader = (line: unknown) => readonly Told[];

export interface OneShot {
  /** The program is looked up on the PATH. */
  readonly program: string;
  readonly returnWay: ReturnWay;
  /** Whether it finds a conversation again in another folder, as a further attempt at a task has one. */
  readonly resumesElsewhere: boolean;
  readonly call: (turn: OneShotTurn) => OneShotCall;
  /** For the output of one turn. */
  readonly reader: () => Reader;
  /** How it says that it does not know a conversation it was to go on with. */
  readonly forgotten: RegExp;
  /** What it says of usage is of the whole conversation, the turns before included. */
  readonly countsConversation?: true;
}
