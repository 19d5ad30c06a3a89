/** Finds a task's work where it is now: merged, in its agent's folder, or on a branch. */
import { divisiError } from '../base/error.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { RoomFacts, Verification } from '../core/event/verification.ts';
import { branchHead } from '../workspace/git/commit-of.ts';
import { commitOf } from '../workspace/git/commit-of.ts';
import { isRoomOf } from '../workspace/git/room/room-record.ts';
import { snapshotRoom } from '../workspace/git/room/snapshot-room.ts';
import type { RunRepository } from './run-repository.ts';
import { registeredAt, excludedPaths } from './run-workspace.ts';

/** The recorded facts of one attempt. */
export interface FoundAttempt {
  readonly attempt: number;
  readonly delegation: string | null;
  readonly room: RoomFacts | null;
  readonly verification: Verification | null;
  /** Commit on the run's branch. */
  readonly merged: string | null;
}

export interface LocatedWork {
  readonly attempt: number;
  readonly where: 'merged' | 'folder' | 'branch';
  /** Two commits; equal where nothing has changed. */
  readonly from: string;
  readonly to: string;
  /** Why git refuses some of the files; absent where it takes all of them. */
  readonly refused?: string;
}

export interface WorkRequest {
  readonly task: TaskState;
  /** The last attempt when absent. */
  readonly attempt?: number | undefined;
  /** Events of the run; only read for an earlier attempt. */
  readonly events: () => Iterable<RunEvent>;
}

export async function findWork(at: RunRepository, state: RunState, request: WorkRequest): Promise<LocatedWork> {
  const { id } = request.task.planned;
  const found = findAttempt(state, request);
  const { attempt } = found;
  const work = await placeOf(at, found);
  if (work === undefined) throw nothing(state.created.run, id, `nothing is left of attempt ${attempt} at ${id}`);
  return { attempt, ...work };
}

export function findAttempt(state: RunState, { task, attempt = task.attempts, events }: WorkRequest): FoundAttempt {
  const { id } = task.planned;
  if (task.attempts === 0 || attempt < 1 || attempt > task.attempts) {
    const has = task.attempts === 0 ? 'has not been delegated yet' : `has had attempts 1 to ${task.attempts}`;
    throw nothing(state.created.run, id, `task ${id} ${has} (it is ${task.progress.status})`);
  }
  return attempt === task.attempts ? lastOf(task) : earlierOf(events(), id, attempt);
}

function nothing(run: string, task: string, message: string): Error {
  return divisiError('TASK_UNKNOWN', {
    message,
    next: `\`divisi status ${run}\` shows its tasks and their results.`,
    ids: { run, task },
  });
}

function lastOf({ attempts, attempt }: TaskState): FoundAttempt {
  const { delegation = null, room = null, verification = null, commit = null } = attempt ?? {};
  return { attempt: attempts, delegation, room, verification, merged: commit };
}

function earlierOf(events: Iterable<RunEvent>, task: string, attempt: number): FoundAttempt {
  let found: FoundAttempt = { attempt, delegation: null, room: null, verification: null, merged: null };
  for (const event of events) {
    if (event.kind === 'delegation.registered' && event.task === task && event.attempt === attempt) {
      found = { ...found, delegation: event.delegation };
    }
    if (!('delegation' in event) || event.delegation !== found.delegation) continue;
    if (event.kind === 'workspace.opened') found = { ...found, room: event.room };
    if (event.kind === 'task.verified') found = { ...found, verification: event.verification };
    if (event.kind === 'task.merged') found = { ...found, merged: event.commit };
  }
  return found;
}

async function placeOf(at: RunRepository, attempt: FoundAttempt): Promise<Omit<LocatedWork, 'attempt'> | undefined> {
  const { repository } = at;
  const { merged, room, verification } = attempt;
  if (merged !== null) {
    const [from, to] = [await commitOf(repository, `${merged}^`), await commitOf(repository, merged)];
    return from === undefined || to === undefined ? undefined : { where: 'merged', from, to };
  }
  if (room === null) return undefined;
  const from = room.base;
  const inFolder = await lookInFolder(at, attempt, room);
  if (inFolder !== undefined) return { where: 'folder', from, ...inFolder };
  const left = verification?.commit;
  const to = (left && (await commitOf(repository, left))) ?? (await branchHead(repository, room.branch));
  return to === undefined ? undefined : { where: 'branch', from, to };
}

/**
 * Leaves the branch alone, because an agent may still be working in the room. Undefined where the room is another attempt's: the
 * work of earlier ones is on their branches.
 */
async function lookInFolder(
  { repository, factsOf }: RunRepository,
  { delegation }: FoundAttempt,
  room: RoomFacts,
): Promise<Pick<LocatedWork, 'to' | 'refused'> | undefined> {
  const { folder, base, setUp, branch } = room;
  const facts = factsOf(room);
  if (!(await isRoomOf(repository, folder, branch))) return undefined;
  const found = await snapshotRoom(repository, {
    folder,
    base,
    setUp,
    exclude: excludedPaths(facts),
    size: facts.size,
    identity: facts.identity,
    at: registeredAt(delegation ?? ''),
    message: 'Current files of an attempt',
  });
  if (found === undefined) return undefined;
  const { commit: to = base, refused } = found;
  return refused === undefined ? { to } : { to, refused };
}
