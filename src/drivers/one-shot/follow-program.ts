/** Looks at what a program writes until it has ended, and once more. */
import { lstat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MarkedProcess, ProcessEnd } from '../../process/spawn-marked.ts';
import type { Hearing } from './hearing.ts';
import { jsonLines } from './json-lines.ts';
import type { Told } from './one-shot.ts';
import type { ToldAccount } from './told-account.ts';
import type { OpenTranscript } from './turn-files.ts';

interface Following {
  readonly child: MarkedProcess;
  readonly transcript: OpenTranscript;
  readonly stderr: string;
  readonly account: ToldAccount;
  readonly heard: Hearing;
  readonly cancelled: AbortSignal;
}

export interface Followed {
  readonly end: ProcessEnd;
  /** So many bytes stood on its standard error before its last sign of life: what they tell of, it has survived. */
  readonly survived: number;
}

const lookMilliseconds = 100;
/** Milliseconds in which the rest of a cancelled turn is read. */
const lastLook = 500;

/** It may have written more than can be read in a moment: whoever has cancelled the turn does not wait for that. */
export async function followProgram(following: Following): Promise<Followed> {
  const { child, transcript, stderr, account, heard, cancelled } = following;
  const lines = jsonLines(transcript.handle, transcript.from);
  const over = new AbortController();
  const end = child.ended.finally(() => over.abort());
  let patience = Infinity;
  const isWaitedFor = (): boolean => {
    if (!cancelled.aborted || !over.signal.aborted) return true;
    patience = Math.min(patience, performance.now() + lastLook);
    return performance.now() < patience;
  };

  let survived = 0;
  /** At the look before: whatever is read in this one was written after that. */
  let errors = 0;
  const hear = async (line: unknown): Promise<void> => {
    const all = account.take(line);
    if (!all.some(isTrouble)) survived = errors;
    for (const told of all) await heard.take(told);
  };
  const look = async (): Promise<void> => {
    const size = await sizeOf(stderr);
    for await (const line of lines.next()) {
      if (!isWaitedFor()) return;
      await hear(line);
    }
    errors = size;
  };

  while (!over.signal.aborted) {
    await look();
    await sleep(lookMilliseconds, undefined, { signal: over.signal }).catch(() => {});
  }
  await look();
  for (const line of lines.last()) await hear(line);
  heard.end();
  return { end: await end, survived };
}

function isTrouble({ kind }: Told): boolean {
  return kind === 'waits' || kind === 'error';
}

async function sizeOf(file: string): Promise<number> {
  return lstat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
