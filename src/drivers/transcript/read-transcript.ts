/** Reads the transcript of a delegation, plain or compressed, and follows it while it grows. */
import type { FileHandle } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { systemCode } from '../../base/error.ts';
import { linesOf, lineReader, type LineReader } from './line-reader.ts';
import { openToRead, chunksOf, type TranscriptFile, transcriptFiles } from './transcript-file.ts';

export interface TranscriptLine {
  readonly dialect: string;
  /** Without its line break. The last line of a killed program may be cut. */
  readonly line: string;
}

export interface TranscriptReading {
  /** Waits for more while it returns true; absent: reads what exists. */
  readonly follow?: () => boolean;
  /** Milliseconds between two polls. */
  readonly pause?: number;
  /** Called after a poll that found nothing new. */
  readonly idle?: () => void;
}

interface Followed {
  readonly dialect: string;
  /** Kept open: readable to its end even if it is compressed meanwhile. */
  readonly handle: FileHandle;
  readonly reader: LineReader;
}

/** Lines in file order, one dialect after the other. Empty without a transcript. */
export async function* readTranscript(
  transcript: string,
  options: TranscriptReading = {},
): AsyncGenerator<TranscriptLine> {
  const { follow = () => false, pause = 300, idle } = options;
  const followed = new Map<string, Followed>();
  const seen = new Set<string>();
  try {
    for (;;) {
      // Asked before the poll, to miss nothing in between.
      const more = follow();
      for (const file of await transcriptFiles(transcript)) {
        if (seen.has(file.dialect)) continue;
        seen.add(file.dialect);
        const isPlain = !file.compressed && (await begin(file, followed));
        // It may have been compressed meanwhile.
        if (!isPlain) yield* decompressed(file);
      }
      let isIdle = true;
      for (const one of followed.values()) {
        for await (const line of growth(one)) {
          isIdle = false;
          yield line;
        }
      }
      if (!more) break;
      if (isIdle) idle?.();
      await sleep(pause);
    }
    for (const { dialect, reader } of followed.values()) {
      const line = reader.rest();
      if (line !== null) yield { dialect, line };
    }
  } finally {
    for (const { handle } of followed.values()) await handle.close();
  }
}

async function begin({ dialect, path }: TranscriptFile, followed: Map<string, Followed>): Promise<boolean> {
  const handle = await openToRead(path);
  if (handle !== null) followed.set(dialect, { dialect, handle, reader: lineReader() });
  return handle !== null;
}

async function* growth({ dialect, handle, reader }: Followed): AsyncGenerator<TranscriptLine> {
  for await (const piece of chunksOf(handle)) for (const line of reader.add(piece)) yield { dialect, line };
}

/** As far as it can be decompressed: a file that a worker put in its place must not fail the reading. */
async function* decompressed({ dialect, path, compressed }: TranscriptFile): AsyncGenerator<TranscriptLine> {
  const handle = await openToRead(compressed ? path : `${path}.gz`);
  if (handle === null) return;
  try {
    // A reader that stops early stops both; errors surface in the second.
    const plain = pipeline(Readable.from(chunksOf(handle)), createGunzip(), () => undefined);
    for await (const lines of linesOf(plain)) for (const line of lines) yield { dialect, line };
  } catch (error) {
    if (!(systemCode(error) ?? '').startsWith('Z_')) throw error;
  } finally {
    await handle.close();
  }
}
