/**
 * Owns the files in which the turns of a conversation are kept: the first in the task's output file, the answer to the
 * nth repair beside it, and a note next to a turn that did not return. The note is there before the turn's end is known to
 * anyone, so that what failed or was cancelled is never taken for a return by an orchestrator that comes later.
 */
import { appendFile, lstat, rm } from 'node:fs/promises';
import { limits } from '../contracts/field.ts';
import { ifMissing, newFile, readHead } from '../process/output-file.ts';
import type { Turn } from './driver.ts';

export function turnOutputFile(outputFile: string, repair: number): string {
  return repair === 0 ? outputFile : `${outputFile}.repair-${repair}`;
}

/** One byte more than a return may have is enough for the reading to refuse it as too large. */
export async function readTurnOutput(file: string): Promise<string> {
  return readHead(file, limits.input + 1);
}

/** An empty file, of whose end nothing is known yet. */
export async function beginTurn(file: string): Promise<void> {
  await rm(noteOf(file), { force: true });
  await rm(returnNoteOf(file), { force: true });
  await rm(submissionOf(file), { force: true });
  await newFile(begunNoteOf(file), '');
  await newFile(file, '');
}

/** What an agent submitted in a turn whose end nobody has seen yet: it is what the turn will return, unless it submits again. */
export async function keepSubmission(file: string, json: string): Promise<void> {
  await newFile(submissionOf(file), json);
}

function submissionOf(file: string): string {
  return `${file}.submitted`;
}

/** Gives the turn back. */
export async function markEnd(file: string, turn: Turn): Promise<Turn> {
  if (turn.end === 'returned') return turn;
  await newFile(noteOf(file), `${turn.end}\n`);
  return turn;
}

/**
 * For a driver that writes the text of a return itself: whole, in place of the pieces that were shown until then. With the note
 * beside it, it is known to be whole.
 */
export async function keepReturn(file: string, text: string): Promise<void> {
  await newFile(file, text);
  await newFile(returnNoteOf(file), '');
}

function noteOf(file: string): string {
  return `${file}.unreturned`;
}

function returnNoteOf(file: string): string {
  return `${file}.returned`;
}

/** Beside a turn whose pieces are written as they are said: they are no return. */
function begunNoteOf(file: string): string {
  return `${file}.begun`;
}

/** The last turn that was begun, and what is known of its end; `unseen` when nobody was left to see it. */
export interface LastTurn {
  readonly file: string;
  readonly end: 'returned' | 'unreturned' | 'unseen';
}

export async function lastTurn(outputFile: string): Promise<LastTurn> {
  const file = await lastFile(outputFile);
  if (await exists(noteOf(file))) return { file, end: 'unreturned' };
  return { file, end: (await exists(returnNoteOf(file))) ? 'returned' : 'unseen' };
}

/**
 * What the last turn said, unless it is known to have failed. When nobody was left to see its end, the text of a command is all
 * there is: whoever asks holds it against the contract, and a text that was cut off does not pass. Of an agent that thinks
 * aloud, only what it submitted counts.
 */
export async function recoverReturn(outputFile: string): Promise<string | null> {
  const { file, end } = await lastTurn(outputFile);
  if (end === 'unreturned') return null;
  const isPieces = end === 'unseen' && (await exists(begunNoteOf(file)));
  return (await readTurnOutput(isPieces ? submissionOf(file) : file)) || null;
}

async function lastFile(outputFile: string): Promise<string> {
  for (let repair = 1; ; repair += 1) {
    if (!(await exists(turnOutputFile(outputFile, repair)))) return turnOutputFile(outputFile, repair - 1);
  }
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(ifMissing)) !== null;
}

export interface OutputWriter {
  add(text: string): void;
  /** Resolves when all of it is there. Never rejects. */
  written(): Promise<void>;
}

export function outputWriter(file: string): OutputWriter {
  let waiting = '';
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      await appendFile(file, text).catch(() => undefined);
    }
    writing = undefined;
  }
  return {
    add(text) {
      waiting += text;
      writing ??= write();
    },
    written: () => writing ?? Promise.resolve(),
  };
}
