/** `divisi clean RUN --discard`: removes the branch, the attempts' branches and the rooms of a run nobody wants, merged or not. Its reports and its record stay. */
import { divisiError } from '../../base/error.ts';
import { isOver } from '../../core/state/state.ts';
import { openLedger } from '../../ledger/ledger.ts';
import type { RunRow } from '../../ledger/run-rows.ts';
import { findRun } from '../../project/find-run.ts';
import { readLedger } from '../../project/project-ledger.ts';
import { findLeftovers, isInUse, type FoundLeftovers, type Leftovers } from '../../run-work/leftovers.ts';
import { type RemovedLeftovers, removeLeftovers } from '../../run-work/remove-leftovers.ts';
import { stopRun } from '../../runtime/runtime.ts';
import { counted, sizeText } from '../../views/text/quantity.ts';
import { findRepository, type Repository } from '../../workspace/git/repository.ts';
import { ledgerFile } from '../../workspace/places.ts';
import { ask, isTerminal } from '../ask.ts';
import { type Answer, exitCodes, warn } from '../output.ts';

export interface DiscardOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function discard(project: string, name: string, options: DiscardOptions): Promise<Answer> {
  const { dryRun = false, yes = false } = options;
  const repository = await findRepository(project, process.env);
  const { row, found } = await look(project, repository, name);
  const what = found.map(asText).join('; ') || 'nothing on disk';
  const answer = (removed: readonly RemovedLeftovers[], text: string): Answer => {
    const bytes = removed.reduce((total, one) => total + one.bytes, 0);
    return { code: exitCodes.completed, json: { dryRun, removed, kept: [], bytes }, text };
  };
  if (dryRun) return answer(found.map(asRemoved), `would discard ${row.run} (${row.status}): ${what}`);
  if (!yes && !(await isAgreed(row, what, options)))
    return { ...answer([], 'nothing was discarded'), code: exitCodes.cancelled };
  if (!isOver(row.status)) {
    const command = `divisi clean ${row.run} --discard`;
    await stopRun(row, 'cancel', { project, environment: process.env, command, seen: () => undefined, warn });
  }
  const ledger = openLedger(ledgerFile(project));
  try {
    const removed = await removeLeftovers(repository, ledger, found, { command: 'divisi clean', warn });
    return answer(removed, `discarded ${row.run}: ${removed.map(asText).join('; ') || 'nothing on disk'}`);
  } finally {
    ledger.close();
  }
}

async function look(
  project: string,
  repository: Repository,
  name: string,
): Promise<{ readonly row: RunRow; readonly found: readonly Leftovers[] }> {
  const ledger = readLedger(project);
  try {
    const row = findRun(ledger, name);
    if (isInUse(ledger, row.run)) throw refused(row.run, 'is still running', `\`divisi cancel ${row.run}\` ends it`);
    const all: FoundLeftovers = await findLeftovers(repository, ledger, row.run);
    if (all.kept.some(({ run, why }) => run === row.run && why === 'checked-out'))
      throw refused(row.run, 'has a branch that is checked out', 'Check out another branch');
    return { row, found: all.leftovers.filter(({ run }) => run === row.run) };
  } finally {
    ledger.close();
  }
}

function refused(run: string, why: string, next: string): Error {
  return divisiError('USAGE', {
    message: `nothing was discarded: ${run} ${why}`,
    next: `${next}; then run the command again.`,
    ids: { run },
  });
}

async function isAgreed({ run, status }: RunRow, what: string, { json }: DiscardOptions): Promise<boolean> {
  if (json === true || !isTerminal())
    throw refused(run, 'and its work would be gone for good', 'Add `--yes`, or look first with `--dry-run`');
  return (await ask({ about: `${run} (${status}): ${what}`, choices: ['discard it for good'] })) === 0;
}

function branchesOf({ attempts, branch }: Leftovers): string[] {
  return [...attempts, ...(branch === undefined ? [] : [branch])].map((one) => one.branch);
}

function asRemoved(one: Leftovers): RemovedLeftovers {
  const { run, status, rooms, bytes } = one;
  return { run, status, folders: rooms.map(({ folder }) => folder), branches: branchesOf(one), bytes };
}

function asText(one: Leftovers | RemovedLeftovers): string {
  const { folders, branches, bytes } = 'rooms' in one ? asRemoved(one) : one;
  const named = branches.length === 1 ? '1 branch' : `${branches.length} branches`;
  return `${counted(folders.length, 'folder')}, ${named}, ${sizeText(bytes)}`;
}
