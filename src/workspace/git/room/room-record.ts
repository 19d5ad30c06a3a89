/**
 * Room record: what Divisi keeps about a room, outside of it, where no agent writes: the attempt it belongs to, and the index as of
 * its checkout. Snapshots start from a copy of that index, so git reads only files that have changed since.
 */
import { copyFile, constants, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing } from '../../project-path.ts';
import type { Repository } from '../repository.ts';

/** Removed with the room. */
export function recordFolder({ state }: Pick<Repository, 'state'>, folder: string): string {
  return join(state, 'rooms', basename(dirname(folder)), basename(folder));
}

export function pristineIndex(repository: Pick<Repository, 'state'>, folder: string): string {
  return join(recordFolder(repository, folder), 'index');
}

/** Creates the record's folder; returns the path of a file in it. */
export async function recordFile(repository: Repository, folder: string, name: string): Promise<string> {
  const record = recordFolder(repository, folder);
  await mkdir(record, { recursive: true, mode: 0o700 });
  return join(record, name);
}

/** `attempt` is the name of its branch. Recorded before the attempt's files are touched. */
export async function assignRoom(repository: Repository, folder: string, attempt: string): Promise<void> {
  await writeFile(await recordFile(repository, folder, 'attempt'), attempt);
  await writeFile(await recordFile(repository, folder, 'repository'), repository.gitDir);
}

/** Whether the room's files are those of this attempt: a later one may have been interrupted before it was recorded. */
export async function isRoomOf(repository: Repository, folder: string, attempt: string): Promise<boolean> {
  return (await recorded(repository, folder, 'attempt')) === attempt;
}

/** Whether the room borrows objects from where the repository is now: the project may have been moved. */
export async function borrowsFrom(repository: Repository, folder: string): Promise<boolean> {
  return (await recorded(repository, folder, 'repository')) === repository.gitDir;
}

async function recorded(repository: Repository, folder: string, name: string): Promise<string | undefined> {
  try {
    return await readFile(join(recordFolder(repository, folder), name), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Preserves the timestamp: git trusts an index about a file only if the file is older than the index. A copy that
 * looks newer would hide changes made in the same second.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { atime, mtime } = await stat(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await utimes(to, atime, mtime);
}
