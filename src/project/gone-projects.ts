/**
 * Gone projects: finds what Divisi still keeps of projects whose folder no longer exists: their state, and the folder with their rooms and
 * seeds. A project that is only out of sight, on a disk that is not mounted, is marked. Changes nothing itself.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRefusal, systemCode } from '../base/error.ts';
import { openLedger } from '../ledger/ledger.ts';
import { folderSize } from '../workspace/folder-size.ts';
import { isRealFolder, isRoomsFolder } from '../workspace/git/room/rooms-folder.ts';
import { stateFolder, stateRoot } from '../workspace/places.ts';
import { usedRoomsFolder } from '../workspace/state-folder.ts';
import { type KeptState, statesIn } from './moved-projects.ts';
import { livingHolder } from './with-lease.ts';

export interface GoneProject extends KeptState {
  /** Absolute: the folder with its rooms and seeds; absent if there is none, or another project uses it. */
  readonly rooms?: string;
  readonly runs: number;
  readonly bytes: number;
  /**
   * Why it must not be removed with the others. `maybe-unmounted`: the folder above the project is missing or empty, as that of a disk
   * that is not mounted. `in-use`: a process works on one of its runs. `unreadable`: its ledger cannot be read.
   */
  readonly doubt?: 'maybe-unmounted' | 'in-use' | 'unreadable';
}

/** Never the current project. */
export async function findGoneProjects(project: string, environment: NodeJS.ProcessEnv): Promise<GoneProject[]> {
  const states = statesIn(join(stateRoot(environment), 'projects')).filter(({ folder }) => isRealFolder(folder));
  const own = stateFolder(project, environment);
  const gone = states.filter(({ folder, path }) => folder !== own && isGone(path));
  const used = new Map(
    await Promise.all(states.map(async ({ folder }) => [folder, await usedRoomsFolder(folder)] as const)),
  );
  const found: GoneProject[] = [];
  for (const state of gone) {
    const rooms = used.get(state.folder);
    const isShared = [...used].some(([folder, path]) => folder !== state.folder && path === rooms);
    found.push(await describeGone(state, isShared ? undefined : rooms));
  }
  return found;
}

/** False if the system cannot tell: a folder that may not be read, or a server that does not answer. */
export function isGone(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
  }
}

async function describeGone(state: KeptState, rooms: string | undefined): Promise<GoneProject> {
  const isOwn = rooms !== undefined && isRoomsFolder(rooms);
  const { runs, doubt } = runsOf(state);
  const bytes = (await folderSize(state.folder)) + (isOwn ? await folderSize(rooms) : 0);
  return { ...state, ...(isOwn ? { rooms } : {}), runs, bytes, ...(doubt === undefined ? {} : { doubt }) };
}

/** A mount point stays when its disk is gone, and is empty then; other systems remove it. */
function isMaybeUnmounted(path: string): boolean {
  try {
    return readdirSync(dirname(path)).length === 0;
  } catch {
    return true;
  }
}

function runsOf({ folder, path }: KeptState): Pick<GoneProject, 'runs' | 'doubt'> {
  const ledgerFile = join(folder, 'ledger.db');
  if (isGone(ledgerFile)) return { runs: 0, ...(isMaybeUnmounted(path) ? { doubt: 'maybe-unmounted' } : {}) };
  try {
    const ledger = openLedger(ledgerFile, { readOnly: true });
    try {
      const rows = ledger.runs();
      if (rows.some(({ run }) => livingHolder(ledger, run) !== null)) return { runs: rows.length, doubt: 'in-use' };
      return { runs: rows.length, ...(isMaybeUnmounted(path) ? { doubt: 'maybe-unmounted' } : {}) };
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { runs: 0, doubt: 'unreadable' };
  }
}
