/**
 * Writes the messages between Divisi and a client to a transcript, one line each, in order, without making the caller wait. If
 * it cannot be written, the delegation continues without it.
 */
import { constants, type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Direction, transcriptLine } from './transcript-line.ts';

export interface Transcript {
  /** A string is a line as it was on the wire. Nothing is written after `close`. */
  write(direction: Direction, message: unknown): void;
  /** Resolves when everything is written. Never rejects; may be called more than once. */
  close(): Promise<void>;
}

export interface TranscriptOptions {
  /** Bytes in total, existing content included. Beyond them, one line notes that nothing more is kept. */
  readonly most?: number;
  readonly now?: () => number;
}

const mebibyte = 1024 * 1024;

/** `file`: see `transcriptFile`. Created with the first message. */
export function openTranscript(file: string, options: TranscriptOptions = {}): Transcript {
  const { most = 16 * mebibyte, now = Date.now } = options;
  let waiting: string[] = [];
  let writing: Promise<void> | null = null;
  let handle: FileHandle | null = null;
  let used = 0;
  let state: 'open' | 'full' | 'closed' = 'open';

  async function drain(): Promise<void> {
    try {
      if (handle === null) {
        handle = await openToAppend(file);
        used += (await handle.stat()).size;
      }
      while (waiting.length > 0) {
        const lines = waiting;
        waiting = [];
        await handle.appendFile(fitting(lines));
      }
    } catch {
      state = 'closed';
      waiting = [];
    } finally {
      // In the same tick in which the queue was empty: the next write starts a new drain.
      writing = null;
    }
  }

  function fitting(lines: readonly string[]): string {
    let text = '';
    for (const line of lines) {
      if (state === 'full') break;
      used += Buffer.byteLength(line) + 1;
      if (used > most) {
        state = 'full';
        text += `${JSON.stringify({ at: now(), note: `the transcript reached ${most} bytes: nothing more is kept` })}\n`;
      } else {
        text += `${line}\n`;
      }
    }
    return text;
  }

  return {
    write(direction, message) {
      if (state !== 'open') return;
      waiting.push(transcriptLine(now(), direction, message));
      writing ??= drain();
    },
    async close() {
      if (state === 'open') state = 'closed';
      while (writing !== null) await writing;
      const opened = handle;
      handle = null;
      await opened?.close().catch(() => undefined);
    },
  };
}

/** Replaces anything but a plain file with a single name: never writes through a link. */
async function openToAppend(file: string): Promise<FileHandle> {
  await mkdir(dirname(file), { recursive: true });
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600).catch(() => null);
  const facts = await handle?.stat();
  if (handle !== null && facts?.isFile() === true && facts.nlink === 1) return handle;
  await handle?.close();
  await rm(file, { force: true });
  return open(file, 'ax', 0o600);
}
