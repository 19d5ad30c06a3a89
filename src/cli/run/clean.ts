/** `divisi clean`: ends orphans, removes leftovers of finished runs, and lists what it keeps. */
import { oneLine } from '../../base/text.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { ledgerFile } from '../../workspace/places.ts';
import { findLeftovers, type FoundLeftovers, type KeptRun, type Leftovers } from '../../run-work/leftovers.ts';
import { type RemovedLeftovers, removeLeftovers } from '../../run-work/remove-leftovers.ts';
import { counted, sizeText } from '../../views/text/quantity.ts';
import { tidyRepository } from '../../workspace/git/own-branches.ts';
import { findRepository, type Repository } from '../../workspace/git/repository.ts';
import { listSeeds, tidySeeds } from '../../workspace/git/seed/seeds-folder.ts';
import { cleanOrphans, endedText } from './clean-orphans.ts';
import { type Answer, exitCodes, warn } from '../output.ts';

export interface CleanOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

export async function clean(project: string, { dryRun = false }: CleanOptions): Promise<Answer> {
  const repository = await findRepository(project, process.env);
  const ended = await cleanOrphans(project, dryRun);
  const found = await look(project, repository);
  const removed = dryRun ? found.leftovers.map(asRemoved) : await remove(project, repository, found.leftovers);
  if (!dryRun) await tidySeeds(repository);
  const seeds = await seedsLeft(repository);
  const bytes = removed.reduce((total, one) => total + one.bytes, 0);
  const json = { dryRun, ended, removed, kept: found.kept, seeds, bytes };
  const text = [
    ...ended.map((one) => endedText(one, dryRun)),
    cleanText(removed, found.kept, bytes, dryRun),
    ...seedsText(seeds),
  ].join('\n');
  return { code: exitCodes.completed, json, text };
}

interface SeedsLeft {
  readonly count: number;
  readonly bytes: number;
}

async function seedsLeft(repository: Repository): Promise<SeedsLeft> {
  const sizes = (await listSeeds(repository)).map(({ record }) => record.bytes).filter((size) => size > 0);
  return { count: sizes.length, bytes: sizes.reduce((total, size) => total + size, 0) };
}

function seedsText({ count, bytes }: SeedsLeft): string[] {
  return count === 0 ? [] : [`kept ${counted(count, 'seed')} for new rooms: ${sizeText(bytes)}`];
}

async function look(project: string, repository: Repository): Promise<FoundLeftovers> {
  const ledger = readLedger(project);
  try {
    return await findLeftovers(repository, ledger);
  } finally {
    ledger.close();
  }
}

async function remove(
  project: string,
  repository: Repository,
  found: readonly Leftovers[],
): Promise<RemovedLeftovers[]> {
  if (found.length === 0) {
    await tidyRepository(repository);
    return [];
  }
  const ledger = openLedger(ledgerFile(project));
  try {
    return await removeLeftovers(repository, ledger, found, { command: 'divisi clean', warn });
  } finally {
    ledger.close();
  }
}

function asRemoved({ run, status, rooms, attempts, branch, bytes }: Leftovers): RemovedLeftovers {
  const branches = [...attempts, ...(branch === undefined ? [] : [branch])].map((one) => one.branch);
  return { run, status, folders: rooms.map(({ folder }) => folder), branches, bytes };
}

function cleanText(
  removed: readonly RemovedLeftovers[],
  kept: readonly KeptRun[],
  bytes: number,
  dryRun: boolean,
): string {
  const lines = removed.map(
    ({ run, status, folders, branches, bytes: of }) =>
      `${dryRun ? 'would remove' : 'removed'} ${oneLine(run, 80)} (${status}): ${counted(folders.length, 'folder')}, ${branches.length} ${branches.length === 1 ? 'branch' : 'branches'}, ${sizeText(of)}`,
  );
  const end = removed.length === 0 ? 'nothing to clean' : `${dryRun ? 'would free' : 'freed'} ${sizeText(bytes)}`;
  return [...lines, end, ...kept.map(keptText)].join('\n');
}

function keptText({ run, why }: KeptRun): string {
  const name = oneLine(run, 80);
  switch (why) {
    case 'in-use':
      return `kept ${name}: still running`;
    case 'not-over':
      return `kept ${name}: it can be resumed (divisi resume ${name}, or divisi cancel ${name})`;
    case 'not-merged':
      return `kept the branch divisi/${name}: you have not merged it (divisi merge ${name} --yes)`;
    case 'checked-out':
      return `kept the checked-out branches of ${name}`;
    default:
      return why satisfies never;
  }
}
