/**
 * Owns the paths of a client's raw messages: `${transcript}.<dialect>.jsonl` while it runs, `.jsonl.gz` afterwards. The dialect is
 * `acp`, or the program whose own lines they are. Refuses links and pipes, which a worker may have put there.
 */
import { constants, type FileHandle, open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../base/error.ts';

export interface TranscriptFile {
  readonly dialect: string;
  readonly path: string;
  readonly compressed: boolean;
}

const ending = /^\.([a-z][a-z\d-]{0,40})\.jsonl(\.gz)?$/;
const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

export function transcriptFile(transcript: string, dialect: string): string {
  return `${transcript}.${dialect}.jsonl`;
}

/** One for each dialect. If a crash left both forms, the plain one: only that is known to be whole. */
export async function transcriptFiles(transcript: string): Promise<readonly TranscriptFile[]> {
  const folder = dirname(transcript);
  const name = basename(transcript);
  const found = new Map<string, TranscriptFile>();
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(ifAbsent)) ?? []) {
    const isOurs = entry.isFile() && entry.name.startsWith(name);
    const [all, dialect, gz] = isOurs ? (ending.exec(entry.name.slice(name.length)) ?? []) : [];
    if (all === undefined || dialect === undefined) continue;
    const compressed = gz !== undefined;
    if (!compressed || !found.has(dialect)) found.set(dialect, { dialect, path: join(folder, entry.name), compressed });
  }
  return [...found.values()].toSorted((one, other) => (one.dialect < other.dialect ? -1 : 1));
}

/** Null if missing, or not a plain file. */
export async function openToRead(path: string): Promise<FileHandle | null> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ifAbsent);
  if (handle === null || (await handle.stat()).isFile()) return handle;
  await handle.close();
  return null;
}

/** From the handle's position to the current end. */
export async function* chunksOf(handle: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(64 * 1024), 0, 64 * 1024, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

function ifAbsent(error: unknown): null {
  if (absent.has(systemCode(error) ?? '')) return null;
  throw error;
}
