/** Reads the latest lines of a transcript that is being written. */
import { openToRead, transcriptFiles } from './transcript-file.ts';
import { longestTranscriptLine } from './transcript-line.ts';

export interface TranscriptEnd {
  readonly dialect: string;
  /** Milliseconds: last change. */
  readonly at: number;
  /** Complete lines, newest last. */
  readonly lines: readonly string[];
}

/** The transcript that changed last; undefined if none is being written. */
export async function readTranscriptEnd(transcript: string): Promise<TranscriptEnd | undefined> {
  const ends: TranscriptEnd[] = [];
  for (const { dialect, path, compressed } of await transcriptFiles(transcript)) {
    const end = compressed ? undefined : await endOf(path);
    if (end !== undefined) ends.push({ dialect, ...end });
  }
  return ends.toSorted((one, other) => one.at - other.at).at(-1);
}

async function endOf(path: string): Promise<Omit<TranscriptEnd, 'dialect'> | undefined> {
  const handle = await openToRead(path);
  if (handle === null) return undefined;
  try {
    const { size, mtimeMs } = await handle.stat();
    const from = Math.max(0, size - longestTranscriptLine - 1);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
    // The last line is incomplete or empty; the first may be cut.
    return { at: mtimeMs, lines: lines.slice(from === 0 ? 0 : 1, -1) };
  } finally {
    await handle.close();
  }
}
