/**
 * Finds the leftovers of runs that are over: folders and branches of attempts, and branches of merged runs. A paused or interrupted
 * run needs all of these to resume, and a running one is in use; both are left alone.
 */
import type { RunId } from '../base/ids.ts';
import { isOver, type RunStatus } from '../core/state/state.ts';
import type { LedgerReader } from '../ledger/ledger.ts';
import { findMarked } from '../process/reap.ts';
import { isInCheckout } from '../workspace/git/merge/merge-into-checkout.ts';
import { listOwnBranches, type OwnBranch } from '../workspace/git/own-branches.ts';
import { listRooms, type RoomOnDisk } from '../workspace/git/room/remove-room.ts';
import { shortRun } from '../workspace/git/room/room-name.ts';
import type { Repository } from '../workspace/git/repository.ts';
import { folderSize } from '../workspace/folder-size.ts';
import { locate } from '../workspace/project-path.ts';
import { runFolder } from '../delegation/delegation-files.ts';
import { isLiveVerifier } from './verifier-process.ts';
import { livingHolder } from '../project/with-lease.ts';

export interface Leftovers {
  readonly run: string;
  /** `unknown` where the ledger does not have the run. */
  readonly status: RunStatus | 'unknown';
  readonly rooms: readonly RoomOnDisk[];
  readonly attempts: readonly OwnBranch[];
  /** The run's branch, where all of it is merged or the run is discarded. */
  readonly branch?: OwnBranch;
  /** Size of the folders. */
  readonly bytes: number;
}

/** A run whose folders or branches stay. */
export interface KeptRun {
  readonly run: string;
  readonly why: 'not-over' | 'in-use' | 'not-merged' | 'checked-out';
}

export interface FoundLeftovers {
  readonly leftovers: readonly Leftovers[];
  readonly kept: readonly KeptRun[];
}

/** All of the run to discard counts as left, merged or not, whether it is over or not. */
export async function findLeftovers(
  repository: Repository,
  ledger: LedgerReader,
  discarded?: RunId,
): Promise<FoundLeftovers> {
  const { project } = repository;
  // Listed before the ledger is read: a run is recorded before it has a folder.
  const rooms = (await listRooms(repository)).filter(({ name }) => !isLiveVerifier(name));
  const branches = await listOwnBranches(repository);
  const statuses = new Map<string, RunStatus>(ledger.runs().map(({ run, status }) => [run, status]));
  const leftovers: Leftovers[] = [];
  const kept: KeptRun[] = [];
  const runs = [...new Set([...statuses.keys(), ...branches.map(({ run }) => run)])];
  // A room names its run by the end of its id.
  const runOf = ({ shortRun: end }: RoomOnDisk): string => runs.find((run) => shortRun(run) === end) ?? end;
  for (const run of new Set([...rooms.map(runOf), ...branches.map((one) => one.run)])) {
    const of = {
      rooms: rooms.filter((one) => runOf(one) === run),
      branches: branches.filter((one) => one.run === run),
    };
    const status = statuses.get(run) ?? 'unknown';
    // Another project may share the repository and have its own ledger.
    if (status === 'unknown' && of.rooms.length === 0 && !(await isKnownHere(project, run))) continue;
    if (isInUse(ledger, run)) kept.push({ run, why: 'in-use' });
    else if (status !== 'unknown' && !isOver(status) && run !== discarded) kept.push({ run, why: 'not-over' });
    else {
      const found = await leftoversOf(repository, ledger, run, status, { ...of, isWanted: run !== discarded });
      const own = of.branches.find(({ name }) => name === undefined);
      if (of.branches.some(({ isCheckedOut }) => isCheckedOut)) kept.push({ run, why: 'checked-out' });
      if (own?.isCheckedOut === false && found.branch === undefined) kept.push({ run, why: 'not-merged' });
      if (found.rooms.length + found.attempts.length > 0 || found.branch !== undefined) leftovers.push(found);
    }
  }
  return { leftovers, kept };
}

async function isKnownHere(project: string, run: string): Promise<boolean> {
  return (await locate(project, runFolder(run))).found === 'inside';
}

/** A live process holds the run, or a process it started is still running. */
export function isInUse(ledger: LedgerReader, run: string): boolean {
  if (livingHolder(ledger, run as RunId) !== null) return true;
  const marked = findMarked(run);
  return marked.supported && marked.processes.length > 0;
}

async function leftoversOf(
  repository: Repository,
  ledger: LedgerReader,
  run: string,
  status: Leftovers['status'],
  of: { readonly rooms: readonly RoomOnDisk[]; readonly branches: readonly OwnBranch[]; readonly isWanted: boolean },
): Promise<Leftovers> {
  const { rooms, branches } = of;
  const attempts = branches.filter(({ name, isCheckedOut }) => name !== undefined && !isCheckedOut);
  const own = branches.find(({ name }) => name === undefined);
  const base = status === 'unknown' ? '' : startOf(ledger, run as RunId);
  const isMerged =
    own !== undefined &&
    !own.isCheckedOut &&
    (!of.isWanted || (await isInCheckout(repository, { branch: own.branch, base }, own.commit)));
  let bytes = 0;
  for (const { folder } of rooms) bytes += await folderSize(folder);
  return { run, status, rooms, attempts, ...(isMerged ? { branch: own } : {}), bytes };
}

/** The commit a run started from. Read from its first event: the run of an older version, which cannot be folded, is cleaned too. */
function startOf(ledger: LedgerReader, run: RunId): string {
  for (const event of ledger.read(run)) if (event.kind === 'run.created') return event.workspace?.base ?? '';
  return '';
}
