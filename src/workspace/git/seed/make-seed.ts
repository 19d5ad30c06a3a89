/**
 * Makes a seed of what set-up left in a room: its ignored and untracked files, and the lock files and manifests it changed. Nothing that came
 * from the user's checkout becomes part of it. Where the result cannot be used in another room, only the reason is kept.
 */
import { constants, copyFile, cp, lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defined } from '../../../base/defined.ts';
import { redactedLine } from '../../../base/text.ts';
import { syncFolder } from '../../atomic-file.ts';
import { fieldsOf, git } from '../git.ts';
import { type Repository, shared } from '../repository.ts';
import { removeAll } from '../room/remove-room.ts';
import { pristineIndex } from '../room/room-record.ts';
import { copyFiles } from './copy-files.ts';
import { inspectResult } from './inspect-result.ts';
import { isInput, isInstalled, type SetUpCommand } from './install-inputs.ts';
import type { SeedKeys } from './seed-key.ts';
import { type SeedRecord, writeSeedRecord } from './seed-record.ts';
import { finishSeed, newSeedFolder, seedFiles, tidySeeds } from './seeds-folder.ts';

/** A room before its set-up. */
export interface UnsetRoom {
  /** Absolute: the top of the room. */
  readonly folder: string;
  /** What it has besides the files of its commit: linked and copied paths. */
  readonly provided: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

export async function beforeSetUp(repository: Repository, folder: string): Promise<UnsetRoom> {
  const { others } = await statusOf(repository, folder);
  return { folder, provided: others.map(({ path }) => path), at: Date.now() };
}

export interface NewSeed {
  readonly room: UnsetRoom;
  readonly keys: SeedKeys;
  readonly commands: readonly SetUpCommand[];
  /** Milliseconds that the commands took. */
  readonly setUp: number;
  /** A name that only this room has. */
  readonly slug?: string | undefined;
  /** `move` where the room is no longer needed. */
  readonly how: 'move' | 'copy';
  /** Whether a result that depends on all sources is worth keeping. */
  readonly keepsSources: boolean;
}

/** Called when set-up has succeeded and no agent has started. */
export async function makeSeed(
  repository: Repository,
  { room, keys, commands, setUp, slug, how, keepsSources }: NewSeed,
): Promise<void> {
  const result = await resultOf(repository, room);
  const { untracked, changed } = result;
  const isInstallOnly =
    untracked.every((path) => isInstalled(path) || isInput(path)) && changed.every((path) => keys.inputs.has(path));
  const key = isInstallOnly ? (keys.install ?? keys.sources) : keys.sources;
  if (key === keys.sources && !keepsSources) return;
  const inspected = await inspectResult({ room: room.folder, rooms: dirname(repository.rooms), slug }, [
    ...untracked,
    ...changed,
  ]);
  const why = keys.why ?? result.why ?? inspected.why;
  const now = Date.now();
  const record: Omit<SeedRecord, 'reflinks'> = {
    madeAt: now,
    usedAt: now,
    commands: commands.map((command) => [...command]),
    setUp: Math.round(setUp),
    files: why === undefined ? inspected.files : 0,
    bytes: why === undefined ? inspected.bytes : 0,
    showsInStatus: result.showsInStatus,
    untracked: why === undefined ? [...untracked] : [],
    ...defined({ why }),
  };
  const folder = await newSeedFolder(repository);
  try {
    if (why === undefined)
      await take(repository, room.folder, seedFiles(folder), { paths: [...untracked, ...changed], how });
    await writeSeedRecord(folder, { ...record, reflinks: await sharesBlocks(folder) });
    await finishSeed(repository, folder, key);
  } finally {
    await removeAll(folder);
  }
  await tidySeeds(repository);
}

interface Result {
  /** Relative to the room; a folder means all that is in it. */
  readonly untracked: readonly string[];
  /** Files of the commit that set-up changed. */
  readonly changed: readonly string[];
  readonly showsInStatus: boolean;
  readonly why?: string;
}

async function resultOf(repository: Repository, { folder, provided, at }: UnsetRoom): Promise<Result> {
  const { others, changed, deleted } = await statusOf(repository, folder);
  const isProvided = (path: string): boolean => provided.some((one) => one === path || one.startsWith(`${path}/`));
  const made = others.filter(({ path }) => !isProvided(path));
  const kept = others.filter(({ path }) => isProvided(path));
  const touched = await firstTouched(
    folder,
    kept.map(({ path }) => path),
    at,
  );
  const named = (path: string): string => redactedLine(path, 100);
  const why =
    deleted !== undefined
      ? `it deletes ${named(deleted)}`
      : touched !== undefined
        ? `it writes to ${named(touched)}, which comes from your checkout`
        : made.length + changed.length === 0
          ? 'it leaves nothing in the room'
          : undefined;
  const showsInStatus = changed.length > 0 || made.some(({ isIgnored }) => !isIgnored);
  return { untracked: made.map(({ path }) => path), changed, showsInStatus, ...defined({ why }) };
}

interface RoomStatus {
  readonly others: readonly { readonly path: string; readonly isIgnored: boolean }[];
  readonly changed: readonly string[];
  readonly deleted?: string;
}

/** Divisi's own files are left out. The first column compares with the user's HEAD, and means nothing here. */
async function statusOf(repository: Repository, folder: string): Promise<RoomStatus> {
  const place = {
    ...shared(repository),
    workTree: folder,
    directory: folder,
    index: pristineIndex(repository, folder),
  };
  const shape = ['--porcelain', '-z', '--no-renames', '--untracked-files=normal', '--ignored=traditional'];
  const { stdout } = await git(place, ['status', ...shape, '--ignore-submodules=all']);
  const entries = fieldsOf(stdout)
    .map((entry) => ({ mark: entry.slice(0, 2), path: entry.slice(3).replace(/\/$/, '') }))
    .filter(({ path }) => !`${path}/`.startsWith(`${repository.prefix}.divisi/`));
  const folders = new Set(entries.filter(({ mark }) => mark === '??' || mark === '!!').map(({ path }) => path));
  const isInside = (path: string): boolean => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (folders.has(path.slice(0, at))) return true;
    return false;
  };
  const others = entries.filter(({ mark, path }) => (mark === '??' || mark === '!!') && !isInside(path));
  const tracked = entries.filter(({ mark }) => mark[1] === 'M' || mark[1] === 'T');
  return {
    others: others.map(({ mark, path }) => ({ path, isIgnored: mark === '!!' })),
    changed: tracked.map(({ path }) => path),
    ...defined({ deleted: entries.find(({ mark }) => mark[1] === 'D')?.path }),
  };
}

/** The first of these paths in which something has changed since. Links are not followed. */
async function firstTouched(folder: string, paths: readonly string[], at: number): Promise<string | undefined> {
  for (const path of paths) {
    const facts = await lstat(join(folder, path));
    if (facts.ctimeMs > at) return path;
    const inside = facts.isDirectory() ? await readdir(join(folder, path)) : [];
    const touched = await firstTouched(
      folder,
      inside.map((name) => `${path}/${name}`),
      at,
    );
    if (touched !== undefined) return touched;
  }
  return undefined;
}

async function take(
  repository: Repository,
  room: string,
  files: string,
  { paths, how }: { readonly paths: readonly string[]; readonly how: NewSeed['how'] },
): Promise<void> {
  for (const path of paths) {
    const [from, to] = [join(room, path), join(files, path)];
    await mkdir(dirname(to), { recursive: true });
    if (how === 'move') await rename(from, to);
    else if ((await lstat(from)).isDirectory()) {
      await mkdir(to);
      await copyFiles(from, to, repository.environment);
    } else await cp(from, to, { verbatimSymlinks: true, preserveTimestamps: true, mode: constants.COPYFILE_FICLONE });
  }
  await syncFolder(files);
}

async function sharesBlocks(folder: string): Promise<boolean> {
  try {
    await writeFile(join(folder, 'probe'), 'x');
    await copyFile(join(folder, 'probe'), join(folder, 'probe-2'), constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    return false;
  }
}
