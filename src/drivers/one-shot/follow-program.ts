/** Reads a program's output while it runs, and once more after it ended. */
import { lstat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MarkedProcess, ProcessEnd } from '../../process/spawn-marked.ts';
import { jsonLines } from './json-lines.ts';
import type { TurnAccount, TurnEntry } from './turn-account.ts';
import type { OpenTranscript } from './turn-files.ts';
import type { TurnRecorder } from './turn-recorder.ts';

interface Following {
  readonly child: MarkedProcess;
  readonly transcript: OpenTranscript;
  readonly stderr: string;
  readonly account: TurnAccount;
  readonly recorder: TurnRecorder;
  readonly cancelled: AbortSignal;
}

export interface FollowedProgram {
  readonly end: ProcessEnd;
  /** Bytes on standard error before the last sign of life: the program survived whatever they report. */
  readonly survived: number;
}

const pollMilliseconds = 100;
/** Milliseconds to read the rest of a cancelled turn: there may be far more output than anyone should wait for. */
const lastRead = 500;

export async function followProgram(following: Following): Promise<FollowedProgram> {
  const { child, transcript, stderr, account, recorder, cancelled } = following;
  const lines = jsonLines(transcript.handle, transcript.from);
  const over = new AbortController();
  const end = child.ended.finally(() => over.abort());
  let deadline = Infinity;
  const isAwaited = (): boolean => {
    if (!cancelled.aborted || !over.signal.aborted) return true;
    deadline = Math.min(deadline, performance.now() + lastRead);
    return performance.now() < deadline;
  };

  let survived = 0;
  /** Size of standard error at the poll before: every line of this poll was written later. */
  let errors = 0;
  const take = async (line: unknown): Promise<void> => {
    const entries = account.take(line);
    if (!entries.some(isTrouble)) survived = errors;
    for (const entry of entries) await recorder.take(entry);
  };
  const poll = async (): Promise<void> => {
    const size = await sizeOf(stderr);
    for await (const line of lines.next()) {
      if (!isAwaited()) return;
      await take(line);
    }
    errors = size;
  };

  while (!over.signal.aborted) {
    await poll();
    await sleep(pollMilliseconds, undefined, { signal: over.signal }).catch(() => {});
  }
  await poll();
  for (const line of lines.last()) await take(line);
  recorder.end();
  return { end: await end, survived };
}

function isTrouble({ kind }: TurnEntry): boolean {
  return kind === 'waits' || kind === 'error';
}

async function sizeOf(file: string): Promise<number> {
  return lstat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
