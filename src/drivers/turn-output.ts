/**
 * Owns the output files of a conversation's turns: the first turn in the task's output file, the nth repair beside it, and a
 * marker file next to a turn that did not return. The marker is written before the turn's end is reported: a later
 * orchestrator never takes a failed or cancelled turn for a return.
 */
import { appendFile, lstat, rm } from 'node:fs/promises';
import { limits } from '../contracts/field.ts';
import { ifMissing, newFile, readHead } from '../process/output-file.ts';
import type { Turn } from './driver.ts';

export function turnOutputFile(outputFile: string, repair: number): string {
  return repair === 0 ? outputFile : `${outputFile}.repair-${repair}`;
}

/** Reads one byte more than a return may have: enough for the reading to reject it as too large. */
export async function readTurnOutput(file: string): Promise<string> {
  return readHead(file, limits.input + 1);
}

/** Starts an empty output file without markers. */
export async function beginTurn(file: string): Promise<void> {
  await rm(unreturnedMarker(file), { force: true });
  await rm(returnedMarker(file), { force: true });
  await rm(submissionFile(file), { force: true });
  await newFile(startedMarker(file), '');
  await newFile(file, '');
}

/** Stores a submitted result before the turn ends. It becomes the return, unless the agent submits again. */
export async function keepSubmission(file: string, json: string): Promise<void> {
  await newFile(submissionFile(file), json);
}

function submissionFile(file: string): string {
  return `${file}.submitted`;
}

/** Writes the marker of a turn that did not return. Returns the turn. */
export async function markEnd(file: string, turn: Turn): Promise<Turn> {
  if (turn.end === 'returned') return turn;
  await newFile(unreturnedMarker(file), `${turn.end}\n`);
  return turn;
}

/** Replaces the pieces shown so far with the whole text of the return, and marks it as whole. */
export async function writeReturn(file: string, text: string): Promise<void> {
  await newFile(file, text);
  await newFile(returnedMarker(file), '');
}

function unreturnedMarker(file: string): string {
  return `${file}.unreturned`;
}

function returnedMarker(file: string): string {
  return `${file}.returned`;
}

/** Marks a turn whose output grows piece by piece: it is not a return. */
function startedMarker(file: string): string {
  return `${file}.begun`;
}

/** The last turn that started, and how it ended: `unseen` if the orchestrator died before. */
export interface LastTurn {
  readonly file: string;
  readonly end: 'returned' | 'unreturned' | 'unseen';
}

export async function lastTurn(outputFile: string): Promise<LastTurn> {
  const file = await lastFile(outputFile);
  if (await exists(unreturnedMarker(file))) return { file, end: 'unreturned' };
  return { file, end: (await exists(returnedMarker(file))) ? 'returned' : 'unseen' };
}

/**
 * The output of the last turn, or null if it did not return. If the orchestrator died before the turn's end, the output of a
 * command is all there is: the caller checks it against the contract, and a truncated text does not pass. For output that grows
 * piece by piece, only a submitted result counts.
 */
export async function recoverReturn(outputFile: string): Promise<string | null> {
  const { file, end } = await lastTurn(outputFile);
  if (end === 'unreturned') return null;
  const isPieces = end === 'unseen' && (await exists(startedMarker(file)));
  return (await readTurnOutput(isPieces ? submissionFile(file) : file)) || null;
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
  /** Resolves when everything is written. Never rejects. */
  written(): Promise<void>;
}

/** Appends without making the caller wait for the disk. A failed write is dropped: the turn still has the text. */
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
