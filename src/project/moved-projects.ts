/**
 * Moved projects: state whose project is no longer where it was. A project is known by its path, so one that was moved or renamed
 * finds no runs until it adopts its state. Changes nothing itself.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRefusal } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import { inMemory } from '../ledger/connection.ts';
import { openLedger } from '../ledger/ledger.ts';
import type { RunRow } from '../ledger/run-rows.ts';
import { shellWord } from '../plan/values/command-words.ts';
import { stateFolder } from '../workspace/places.ts';
import { pathFile } from '../workspace/state-folder.ts';

export interface KeptState {
  /** The state folder. */
  readonly folder: string;
  /** Where the project was, absolute. */
  readonly path: string;
}

export interface MovedProject extends KeptState {
  readonly runs: number;
  readonly ids: readonly string[];
  /** Time of the last change of a run. */
  readonly changed: number;
}

/** The states in the folder `projects`; one that names no project is left out. */
export function statesIn(projects: string): KeptState[] {
  if (!existsSync(projects)) return [];
  return readdirSync(projects).flatMap((name) => {
    const folder = join(projects, name);
    const path = existsSync(pathFile(folder)) ? readFileSync(pathFile(folder), 'utf8').trimEnd() : '';
    return path.startsWith('/') ? [{ folder, path }] : [];
  });
}

/** Those with runs whose project is gone, newest first. */
export function movedProjects(projects: string): MovedProject[] {
  return statesIn(projects)
    .filter(({ path }) => !existsSync(path))
    .flatMap((state) => {
      const runs = runsIn(state.folder);
      const [newest] = runs;
      if (newest === undefined) return [];
      return [{ ...state, runs: runs.length, ids: runs.map(({ run }) => run), changed: newest.changed }];
    })
    .toSorted((one, other) => other.changed - one.changed);
}

/** Its runs, newest first. A ledger that cannot be read is no reason to refuse in another project. */
function runsIn(folder: string): readonly RunRow[] {
  try {
    const ledger = openLedger(join(folder, 'ledger.db'), { readOnly: true });
    try {
      return ledger.runs();
    } finally {
      ledger.close();
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [];
  }
}

const nameOf = (folder: string): string => basename(folder).replace(/-[0-9a-f]{8}$/, '');

/** For a project without runs: the one that was probably moved here, as a line for people. */
export function movedHere(ledgerFile: string): string | undefined {
  if (ledgerFile === inMemory) return undefined;
  const own = dirname(ledgerFile);
  const moved = movedProjects(dirname(own));
  const here = new Set(reportsHere(own));
  const found =
    moved.find(({ ids }) => ids.some((run) => here.has(run))) ??
    moved.find(({ folder }) => nameOf(folder) === nameOf(own));
  if (found === undefined) return undefined;
  const { path, runs } = found;
  return `no runs here; ${oneLine(path, 500)} had ${runs}: \`divisi adopt ${oneLine(shellWord(path), 600)}\``;
}

/** The runs with reports in the project of this state, which is where one stands or above: they move along, also under another name. */
function reportsHere(own: string): string[] {
  for (let at = process.cwd(); ; at = dirname(at)) {
    if (existsSync(join(at, '.divisi', 'runs')) && stateFolder(at) === own)
      return readdirSync(join(at, '.divisi', 'runs'));
    if (dirname(at) === at) return [];
  }
}
