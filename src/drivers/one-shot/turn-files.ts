/**
 * Owns the files of one turn. All turns of a conversation share one transcript; a file beside the turn's output has the offset
 * at which the turn starts, to read it again after a crash.
 */
import { constants, mkdir, open, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DriverTask } from '../driver.ts';
import { newFile, readHead } from '../../process/output-file.ts';
import { transcriptFile } from '../transcript/transcript-file.ts';
import { beginTurn, turnOutputFile } from '../turn-output.ts';

export interface TurnFiles {
  readonly said: string;
  readonly transcript: string;
  readonly stderr: string;
  /** See `OneShotTurn.files`. */
  readonly folder: string;
}

export function turnFiles(task: DriverTask, profile: string, repair: number): TurnFiles {
  const said = turnOutputFile(task.outputFile, repair);
  return {
    said,
    transcript: transcriptFile(task.transcript, profile),
    stderr: `${said}.stderr`,
    folder: `${said}.files`,
  };
}

export interface OpenFiles extends OpenTranscript {
  /** The turn's output, opened to append. */
  readonly said: FileHandle;
}

export interface OpenTranscript {
  /** The file that exists now, whatever replaces it later. */
  readonly handle: FileHandle;
  /** Byte offset at which this turn starts. */
  readonly from: number;
}

const { O_RDONLY, O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

/** All files exist, and the turn's output is empty, before the program runs. */
export async function prepareFiles(files: TurnFiles): Promise<OpenFiles> {
  await beginTurn(files.said);
  await newFile(files.stderr, '');
  await rm(files.folder, { recursive: true, force: true });
  await mkdir(files.folder, { mode: 0o700 });
  await mkdir(dirname(files.transcript), { recursive: true });
  const handle = await open(files.transcript, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const { size } = await handle.stat();
    await newFile(startFile(files.said), `${size}\n`);
    const said = await open(files.said, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK);
    return { handle, from: size, said };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The transcript at the start of this turn; null if it cannot be read. */
export async function reopenTranscript(said: string, transcript: string): Promise<OpenTranscript | null> {
  const from = Number((await readHead(startFile(said), 32)) || Number.NaN);
  if (!Number.isSafeInteger(from)) return null;
  const handle = await open(transcript, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  if ((await handle.stat()).isFile()) return { handle, from };
  await handle.close();
  return null;
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { mode: 0o600, flag: 'wx' });
  }
}

function startFile(said: string): string {
  return `${said}.begins`;
}
