/**
 * The state of a run: a fold over its events. It keeps what is ready, what is locked and what waits, so that deciding
 * looks at nothing else and an event costs the same in a plan of ten tasks and of a hundred thousand.
 *
 *   run         planning → running ⇄ paused → completed | failed | cancelled; one that has ended may run again
 *   wave        pending → running → reviewing ⇄ fixing → completed | failed; an open one → pending when the run goes on; an ended
 *               one → pending when some of its work is open again
 *   task        pending → running ⇄ repairing → (verifying → merging) → ended → completed | partial | failed | blocked;
 *               pending → skipped; ended → verifying (a person takes the work as done);
 *               running → pending (lost, cancelled); ended → pending (tried again); every end → pending when it is reopened
 *   delegation  registered → running → returned | timed-out | cancelled | lost, once
 *   gate        due → reviewing → reviewed → (fixing → fixed → reviewing)* → asking → passed; any → due when its work is done again
 *   checkpoint  coming → open → approved | rejected | replaced; of the plan's own: rejected → coming when the run starts again
 */
import type { DelegationId } from '../../base/ids.ts';
import type { ScopeLocks } from '../../delegation/scope-locks.ts';
import { newLocks } from '../../delegation/scope-locks.ts';
import type { Tier } from '../../plan/plan.ts';
import type { Amendment } from '../event/amendment.ts';
import type { EventOf, RunEnd } from '../event/event.ts';
import type { Finding, Gate } from './gate.ts';
import type { BudgetKey } from '../event/planned-task.ts';
import { newQueue, type Queue } from './queue.ts';
import { newSpent, type Spent } from './spent.ts';
import type { Group, TaskState } from './task-state.ts';
import { type CommandState, type FeatureStep, newCommand } from '../event/workflow.ts';

/** How often an agent is asked for its return again. */
export const mostRepairs = 2;

/** The version of these rules. A run keeps the version it was created with; another version refuses it. */
export const coreVersion = 4;

export interface WaveState {
  /** Its place in the run, from 1; 0 is the audit before the first, and one more than there are is the final review. */
  number: number;
  /** What the plan calls it: plans begin with 0, or leave some out. */
  inPlan: number;
  title: string;
  reviewTier: Tier;
  readonly tasks: TaskState[];
  /** What gates asked for in this wave. */
  readonly added: TaskState[];
  status: 'pending' | 'running' | 'reviewing' | 'fixing' | 'completed' | 'failed';
}

function newWave(number: number, status: WaveState['status'] = 'pending'): WaveState {
  return { number, inPlan: number, title: '', reviewTier: 'deep', tasks: [], added: [], status };
}

export function isOpen({ status }: WaveState): boolean {
  return status === 'running' || status === 'reviewing' || status === 'fixing';
}

export interface ActiveDelegation {
  readonly registered: EventOf<'delegation.registered'>;
  deadline: number;
  pid: number | null;
  repairs: number;
}

/** The one subject of a checkpoint, by its kind; see `event/checkpoint.ts`. `note` is a person's answer in words. */
export type CheckpointSubject =
  | { readonly kind: 'planned'; readonly afterWave: number }
  | { readonly kind: 'review'; readonly gate: string }
  | { readonly kind: 'failure'; readonly task: string }
  | { readonly kind: 'breaker'; readonly signature: string }
  | { readonly kind: 'budget'; readonly budget: BudgetKey; readonly task?: string }
  | { readonly kind: 'edit'; readonly amendments: readonly Amendment[] }
  | { readonly kind: 'feature'; readonly step: string; note?: string }
  | { readonly kind: 'cycle'; readonly need: string; note?: string };

export type CheckpointState = CheckpointSubject & {
  readonly id: string;
  readonly why: string;
  status: 'coming' | 'open' | 'approved' | 'rejected' | 'replaced';
};

/** A checkpoint of that kind. */
export type CheckpointOf<Kind extends CheckpointState['kind']> = Extract<CheckpointState, { readonly kind: Kind }>;

/** The single task that a checkpoint asks about. */
export function askedTask(checkpoint: CheckpointState): string | undefined {
  return checkpoint.kind === 'failure' || checkpoint.kind === 'budget' ? checkpoint.task : undefined;
}

/** Open checkpoints of one kind. */
export function openOf<Kind extends CheckpointState['kind']>(
  { checkpoints }: Pick<RunState, 'checkpoints'>,
  kind: Kind,
): CheckpointOf<Kind>[] {
  return checkpoints.filter((one): one is CheckpointOf<Kind> => one.status === 'open' && one.kind === kind);
}

/** Since when, and where the branch was then: what was done and not recorded lies behind that, wherever the branch is by now. */
export interface Merge {
  readonly task: string;
  readonly delegation: DelegationId;
  readonly at: number;
  readonly head: string | null;
}

export type RunStatus = 'planning' | 'running' | 'paused' | RunEnd;

/** A run that is over may start again. */
export function isOver(status: RunStatus): status is RunEnd {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export interface RunState {
  readonly created: EventOf<'run.created'>;
  /** How far it is, where the run is a command. */
  command: CommandState;
  /** By task, in the order in which they were added, where the run builds features. */
  readonly steps: Map<string, FeatureStep>;
  status: RunStatus;
  /** The conversation that conducts it; null where a process of ours does. */
  conductor: { readonly client: string; readonly session: string } | null;
  /** What a person gave it instead of its own deadlines when it went on. */
  deadlines: EventOf<'run.created'>['settings']['deadlines'];
  /** Why it is paused; empty otherwise. */
  reason: string;
  /** Whether it is paused until a person has answered. */
  needsAnswer: boolean;
  planFile: string;
  /** What the plan's file was last known to hold, and before that: a crash may have come before the writing. */
  planHashes: readonly string[];
  /** How often the plan has been changed since the run began. */
  amendments: number;
  /** What a person has agreed to, before it is taken over. */
  accepted: readonly Amendment[];
  readonly waves: WaveState[];
  /** What was there when the run was resumed, looked at first; completed where nobody asked for that. */
  readonly audit: WaveState;
  /** The final review. */
  readonly final: WaveState;
  /** The plan's own. */
  readonly tasks: Map<string, TaskState>;
  /** What gates asked for. */
  readonly gateTasks: Map<string, TaskState>;
  readonly gates: Map<string, Gate>;
  /** Gates of single tasks that have a step to take. */
  readonly dueGates: Set<string>;
  readonly findings: Map<string, Finding>;
  /** Those that no fixer has got yet. */
  readonly deferred: Set<string>;
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
  /** Tasks whose work is verified or merged; they keep their place and their locks until then. */
  settling: Map<string, TaskState>;
  /** The one whose work goes into the run's branch now, one at a time; null while none does. */
  merge: Merge | null;
  /** The last commit of the run's branch; null before the first. */
  head: string | null;
  /** Commits on it that no task made. */
  foreign: number;
  /** Whether a person has seen the plan as it is: then its commands may be run. */
  confirmed: boolean;
  ended: Map<string, TaskState>;
  readonly toSkip: Map<string, { readonly task: TaskState; readonly because: string }>;
  /** The tasks of this wave that failed, by what their failures have in common. */
  readonly failures: Map<string, readonly string[]>;
  /** Those that have happened too often, before a person is asked. */
  readonly tripped: Set<string>;
  /** Nothing is delegated until then. */
  quota: { readonly until: number; readonly guessed: boolean } | null;
  /** Quotas in a row without a known time. */
  quotaGuesses: number;
  readonly spent: Spent;
  /** How often a person has granted a budget once more. */
  readonly granted: Record<BudgetKey, number>;
  /** The time of the last event. */
  lastAt: number;
}

export function newState(created: EventOf<'run.created'>): RunState {
  const checkpoints = created.checkpoints.map(({ afterWave, why }, at): CheckpointState => ({
    id: checkpointId(at + 1),
    kind: 'planned',
    afterWave,
    why,
    status: 'coming',
  }));
  return {
    created,
    command: newCommand(),
    steps: new Map(),
    status: 'planning',
    conductor: null,
    reason: '',
    needsAnswer: false,
    planFile: created.plan.file,
    planHashes: [created.plan.hash],
    amendments: 0,
    accepted: [],
    waves: Array.from({ length: created.waves }, (_, at) => newWave(at + 1)),
    audit: newWave(0, 'completed'),
    final: newWave(created.waves + 1),
    tasks: new Map(),
    gateTasks: new Map(),
    gates: new Map(),
    dueGates: new Set(),
    findings: new Map(),
    deferred: new Set(),
    checkpoints,
    active: new Map(),
    waveIndex: 0,
    unsettled: 0,
    ready: newQueue(),
    groups: new Map(),
    waiting: new Map(),
    startable: new Map(),
    locks: newLocks(),
    settling: new Map(),
    merge: null,
    head: null,
    foreign: 0,
    confirmed: false,
    ended: new Map(),
    toSkip: new Map(),
    failures: new Map(),
    tripped: new Set(),
    quota: null,
    quotaGuesses: 0,
    deadlines: {},
    spent: newSpent(),
    granted: { minutes: 0, delegations: 0, tokens: 0, cost: 0 },
    lastAt: 0,
  };
}

export function checkpointId(number: number): string {
  return `checkpoint-${number}`;
}

/** The name of one that the plan does not have. */
export function nextCheckpoint({ checkpoints }: RunState): { readonly checkpoint: string } {
  return { checkpoint: checkpointId(checkpoints.length + 1) };
}

/** The wave that runs or comes next: the audit, one of the plan's, or the final review. */
export function currentWave({ audit, waves, waveIndex, final }: RunState): WaveState {
  return audit.status === 'completed' ? (waves[waveIndex] ?? final) : audit;
}

/** By its number; undefined where there is none. */
export function waveAt({ audit, waves, final }: RunState, number: number): WaveState | undefined {
  if (number === audit.number) return audit;
  return number === final.number ? final : waves[number - 1];
}

/** The plan's own, or what a gate asked for. */
export function findTask({ tasks, gateTasks }: RunState, id: string): TaskState | undefined {
  return tasks.get(id) ?? gateTasks.get(id);
}

export function addWave(state: RunState, added: Extract<Amendment, { kind: 'add-wave' }>): void {
  const { number: inPlan, title, reviewTier } = added;
  state.waves.push({ ...newWave(state.waves.length + 1), inPlan, title, reviewTier });
  state.final.number += 1;
  for (const task of state.final.added) task.wave = state.final.number;
}

/** The tasks that a person is asked about at a checkpoint. */
export function tasksAskedAt({ tasks, gateTasks }: RunState, checkpoint: string): TaskState[] {
  return [...tasks.values(), ...gateTasks.values()].filter(({ progress }) => {
    const asks = progress.status === 'ended' ? progress.asks : undefined;
    return asks !== undefined && 'checkpoint' in asks && asks.checkpoint === checkpoint;
  });
}

export function openCheckpoints({ checkpoints }: RunState): CheckpointState[] {
  return checkpoints.filter(({ status }) => status === 'open');
}
