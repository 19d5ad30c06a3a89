/** What is particular about a program that is started for one turn and writes JSON, one object per line. */
import type { DriverTask, ReturnWay } from '../driver.ts';
import type { Strength } from '../profiles/profile.ts';
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
}

export interface OneShotCall {
  /** Without the program. */
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** On its standard input; nothing when absent. */
  readonly input?: string;
  /** Files that it reads, by their names in `files`. */
  readonly write?: Readonly<Record<string, string>>;
}

/** What one line of the program's output says; a line may say several things, and most say none. */
export type Told =
  | { readonly kind: 'conversation'; readonly id: string }
  /** A piece of what the agent says, for people who look on. */
  | { readonly kind: 'said'; readonly text: string }
  /** The program waits by itself and goes on. */
  | { readonly kind: 'waits'; readonly why: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'error'; readonly error: ToldError }
  /** The positive end without which there is no success. */
  | { readonly kind: 'returned'; readonly text: string; readonly via?: Exclude<ReturnWay, 'message'> };

export interface OneShot {
  /** The program is looked up on the PATH. */
  readonly program: string;
  readonly returnWay: ReturnWay;
  readonly call: (turn: OneShotTurn) => OneShotCall;
  /** Reads the output of one turn, line by line; keeps what it needs between lines. */
  readonly reader: () => (line: unknown) => readonly Told[];
}
