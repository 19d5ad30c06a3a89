/**
 * Adopts the state of a project that was moved here: its ledger, returns, transcripts and homes become this project's. Refuses where
 * the old project still exists, where one of its runs is in progress, and where this project has work of its own.
 */
import { existsSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { divisiError } from '../base/error.ts';
import { oneLine } from '../base/text.ts';
import { openLedger } from '../ledger/ledger.ts';
import { stateFolder } from '../workspace/places.ts';
import { makeStateFolder, pathFile } from '../workspace/state-folder.ts';
import { type KeptState, statesIn } from './moved-projects.ts';
import { readLedger } from './project-ledger.ts';
import { livingHolder } from './with-lease.ts';

export interface AdoptedState {
  /** Where the project was. */
  readonly from: string;
  readonly runs: number;
}

export function adoptState(project: string, old: string): AdoptedState {
  const own = stateFolder(project);
  const found = stateOf(dirname(own), old);
  if (found.folder === own) throw refusal(`${shown(old)} is this project`, 'Nothing has to be adopted: `divisi list`.');
  if (isElsewhere(found.path, project)) {
    throw refusal(
      `${shown(found.path)} still exists, and its runs belong to it`,
      'Move or remove its .divisi folder first, if this project replaces it.',
    );
  }
  refuseOwnWork(project, own);
  const runs = runsNotInProgress(found);
  // Without runs, there is nothing in it to keep.
  rmSync(own, { recursive: true, force: true });
  renameSync(found.folder, own);
  rmSync(pathFile(own));
  makeStateFolder(project);
  return { from: found.path, runs };
}

function stateOf(projects: string, old: string): KeptState {
  const whole = resolve(old);
  const names = new Set([whole, join(realAbove(dirname(whole)), basename(whole))]);
  const found = statesIn(projects).find(({ path }) => names.has(path));
  if (found !== undefined) return found;
  throw refusal(
    `Divisi knows no project ${shown(resolve(old))}`,
    `Name the folder it was in before it was moved; the files \`path\` below ${projects} name those it knows.`,
  );
}

/** A folder as it is on disk, or as it would be. */
function realAbove(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return dirname(path) === path ? path : join(realAbove(dirname(path)), basename(path));
}

/** A link that leads here is this project. */
function isElsewhere(path: string, project: string): boolean {
  return existsSync(join(path, '.divisi')) && realpathSync(path) !== realpathSync(project);
}

function refuseOwnWork(project: string, own: string): void {
  const ledger = readLedger(project);
  try {
    // A trial is in no ledger. Backlog tasks are in the project's own files, and come from there.
    const trials = join(own, 'runs');
    const hasTrials = existsSync(trials) && readdirSync(trials).length > 0;
    if (ledger.runs().length === 0 && !hasTrials) return;
    throw refusal(
      'this project has runs of its own',
      `Two histories cannot be combined. To give this one up, remove ${own} and try again.`,
    );
  } finally {
    ledger.close();
  }
}

function runsNotInProgress({ folder, path }: KeptState): number {
  const ledger = openLedger(join(folder, 'ledger.db'), { readOnly: true });
  try {
    const rows = ledger.runs();
    const held = rows.find(({ run }) => livingHolder(ledger, run) !== null);
    if (held === undefined) return rows.length;
    throw refusal(`${held.run} of ${shown(path)} is in progress`, 'Wait for it, or end its process, then try again.');
  } finally {
    ledger.close();
  }
}

const shown = (path: string): string => oneLine(path, 500);

function refusal(message: string, next: string): Error {
  return divisiError('ADOPT_REFUSED', { message, next });
}
