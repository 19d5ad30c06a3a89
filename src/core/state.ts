/**
 * The state of a run: a fold over its events. It keeps what is ready, what is locked and what waits, so that deciding
 * looks at nothing else and an event costs the same in a plan of ten tasks and of a hundred thousand.
 *
 *   run         planning → running ⇄ paused → completed | failed | cancelled; a failed or cancelled one may run again
 *   wave        pending → running → completed | failed; running → pending when the run goes on; failed → pending when an ended run
 *               starts again
 *   task        pending → running ⇄ repairing → ended → completed | partial | failed | blocked; pending → skipped;
 *               running → pending (lost, cancelled); every end but completed → pending when an ended run starts again
 *   delegation  registered → running → returned | timed-out | cancelled | lost, once
 *   checkpoint  coming → open → approved | rejected; rejected → coming when the run starts again
 */
import type { DelegationId } from '../contracts/ids.ts';
import type { Status } from '../contracts/status.ts';
import type { ScopeLocks } from '../delegation/scope-locks.ts';
import { newLocks } from '../delegation/scope-locks.ts';
import type { End, EventOf, Outcome, PlannedTask, RunEnd } from './event.ts';
import { newQueue, type Queue } from './queue.ts';

/** How often an agent is asked for its return again. */
export const mostRepairs = 2;

/** The version of these rules. A run goes on with the version it began with. */
export const coreVersion = 1;

export type TaskProgress =
  | { readonly status: 'pending' }
  | { readonly status: 'running' | 'repairing'; readonly delegation: DelegationId }
  /** An attempt is over; what follows from it has not been decided. */
  | { readonly status: 'ended'; readonly end: End; readonly outcome: Outcome }
  /** Without an outcome: ticked in the plan before the run began. */
  | { readonly status: Status; readonly outcome?: Outcome }
  | { readonly status: 'skipped'; readonly because: string };

export interface TaskState {
  readonly planned: PlannedTask;
  readonly wave: number;
  attempts: number;
  progress: TaskProgress;
  /** Dependencies in the same wave that have not completed. */
  open: number;
  /** Tasks of the same wave that wait for this one. */
  dependents: TaskState[];
  /** The group it waits or runs in; see `Group`. */
  group: Group | null;
}

/**
 * Ready tasks with the same scope, in order. They can only run one after another, so they wait as one: only the first of
 * them is ever compared with what is locked.
 */
export interface Group {
  readonly scope: readonly string[];
  readonly tasks: Queue<TaskState>;
  /** The task whose lock is in the way; null while the group waits for a free place. */
  behind: string | null;
}

export interface WaveState {
  /** Its place in the run, from 1. */
  readonly number: number;
  /** What the plan calls it: plans begin with 0, or leave some out. */
  inPlan: number;
  title: string;
  readonly tasks: TaskState[];
  status: 'pending' | 'running' | 'completed' | 'failed';
}

export interface ActiveDelegation {
  readonly registered: EventOf<'delegation.registered'>;
  pid: number | null;
  repairs: number;
}

export interface CheckpointState {
  readonly id: string;
  readonly afterWave: number;
  readonly why: string;
  status: 'coming' | 'open' | 'approved' | 'rejected';
}

export type RunStatus = 'planning' | 'running' | 'paused' | RunEnd;

/** A run that is over may start again unless it has completed. */
export function isOver(status: RunStatus): status is RunEnd {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export interface RunState {
  readonly created: EventOf<'run.created'>;
  status: RunStatus;
  /** Why it is paused; empty otherwise. */
  reason: string;
  planFile: string;
  /** What the plan's file was last known to hold, and before that: a crash may have come before the writing. */
  planHashes: readonly string[];
  readonly waves: WaveState[];
  readonly tasks: Map<string, TaskState>;
  readonly checkpoints: CheckpointState[];
  /** The registry: delegations that have not ended. */
  active: Map<DelegationId, ActiveDelegation>;
  /** Of the wave that runs or comes next. */
  waveIndex: number;
  /** Tasks of the running wave that have not been settled. */
  unsettled: number;
  readonly ready: Queue<Group>;
  /** Groups by scope, wherever they wait. */
  readonly groups: Map<string, Group>;
  /** Groups that wait for a task's lock, by that task. */
  readonly waiting: Map<string, Group[]>;
  /** Tasks that have their locks and a place, and are not registered yet. */
  startable: Map<string, TaskState>;
  locks: ScopeLocks;
  ended: Map<string, TaskState>;
  readonly toSkip: Map<string, { readonly task: TaskState; readonly because: string }>;
}

export function newState(created: EventOf<'run.created'>): RunState {
  const checkpoints = created.checkpoints.map(({ afterWave, why }, at): CheckpointState => ({
    id: `checkpoint-${at + 1}`,
    afterWave,
    why,
    status: 'coming',
  }));
  const waves = Array.from({ length: created.waves }, (_, at): WaveState => {
    return { number: at + 1, inPlan: at + 1, title: '', tasks: [], status: 'pending' };
  });
  return {
    created,
    status: 'planning',
    reason: '',
    planFile: created.plan.file,
    planHashes: [created.plan.hash],
    waves,
    tasks: new Map(),
    checkpoints,
    active: new Map(),
    waveIndex: 0,
    unsettled: 0,
    ready: newQueue(),
    groups: new Map(),
    waiting: new Map(),
    startable: new Map(),
    locks: newLocks(),
    ended: new Map(),
    toSkip: new Map(),
  };
}
