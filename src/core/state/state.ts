/**
 * RunState: a fold over the run's events. It indexes what is ready, locked and waiting, so deciding reads nothing else and an
 * event costs the same in a plan of ten tasks as in one of a hundred thousand.
 *
 *   run         planning → running ⇄ paused → completed | failed | cancelled; a run that is over may start again
 *   wave        pending → running → reviewing ⇄ fixing → completed | failed; an open wave → pending when the run resumes; an ended
 *               one → pending when some of its work is reopened
 *   task        pending → running ⇄ repairing → (verifying → merging) → ended → completed | partial | failed | blocked;
 *               pending → skipped; ended → verifying (a person accepts the work);
 *               running → pending (lost, cancelled); ended → pending (retried); every end → pending when reopened
 *   delegation  registered → running → returned | timed-out | cancelled | lost, once
 *   gate        due → reviewing → reviewed → (fixing → fixed → reviewing)* → asking → passed; any → due when its work is redone
 *   checkpoint  coming → open → approved | rejected | replaced; if planned: rejected → coming when the run starts again
 */
import { defined } from '../../base/defined.ts';
import type { DelegationId } from '../../base/ids.ts';
import type { Tier } from '../../plan/plan.ts';
import type { Amendment } from '../event/amendment.ts';
import type { BaseCheck } from '../event/base-check.ts';
import type { TroubleAnswer } from '../event/checkpoint.ts';
import type { EventOf, RunEnd } from '../event/event.ts';
import type { Unattributed, WorkspaceFacts } from '../event/verification.ts';
import type { Conductor } from './conductor.ts';
import { type DiskState, newDisk } from './disk.ts';
import type { Finding, Gate } from './gate.ts';
import type { BudgetKey } from '../event/planned-task.ts';
import { newIndex, type RunIndex } from './run-index.ts';
import { newSpent, type Spent } from './spent.ts';
import type { TaskState } from './task-state.ts';
import { type CommandState, newCommand, type FeatureStep } from '../event/workflow-step.ts';

/** Limit on repairs of a return. */
export const mostRepairs = 2;

/** Version of these rules. A run keeps the version it was created with; a core of any other version refuses it. */
export const coreVersion = 8;

export interface WaveState {
  /**
   * Position in the run, from 1; 0 is the audit before the first wave, and the last number plus one is the final
   * review.
   */
  number: number;
  /** The plan's number for it: plans may start at 0 or leave numbers out. */
  inPlan: number;
  title: string;
  reviewTier: Tier;
  /** The agent that reviews it; absent for the usual one. */
  reviewer?: string | undefined;
  readonly tasks: TaskState[];
  /** Tasks added by gates in this wave. */
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

/** The one subject of a checkpoint, by kind; see `event/checkpoint.ts`. `note` comes with a person's answer. */
export type CheckpointSubject =
  | { readonly kind: 'planned'; readonly afterWave: number }
  | { readonly kind: 'review'; readonly gate: string }
  | { readonly kind: 'failure'; readonly task: string }
  | { readonly kind: 'breaker'; readonly signature: string }
  | { readonly kind: 'base'; readonly commands: readonly (readonly string[])[] }
  | { readonly kind: 'budget'; readonly budget: BudgetKey; readonly task?: string }
  | { readonly kind: 'disk' }
  | { readonly kind: 'edit'; readonly amendments: readonly Amendment[] }
  | { readonly kind: 'feature'; readonly step: string; note?: string }
  | { readonly kind: 'cycle'; readonly need: string; note?: string };

export type CheckpointState = CheckpointSubject & {
  readonly id: string;
  readonly why: string;
  status: 'coming' | 'open' | 'approved' | 'rejected' | 'replaced';
  /** Rejected by an option of the command, not by a person. */
  isUnattended?: true;
};

/** A checkpoint of one kind. */
export type CheckpointOf<Kind extends CheckpointState['kind']> = Extract<CheckpointState, { readonly kind: Kind }>;

/** The single task a checkpoint asks about. */
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

/**
 * The merge in progress. `at` and `head` are its start time and the tip of the branch then: a merge that was done but
 * not recorded comes after them.
 */
export interface Merge {
  readonly task: string;
  readonly delegation: DelegationId;
  readonly at: number;
  readonly head: string | null;
}

export type RunStatus = 'planning' | 'running' | 'paused' | RunEnd;

/** A run that is over may be started again. */
export function isOver(status: string): status is RunEnd {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

export interface RunState {
  readonly created: EventOf<'run.created'>;
  /** As the run began, and as each update left it; the last one holds. Empty for a program that brings its own workers. */
  workspaces: readonly WorkspaceFacts[];
  /** Requested and not yet done, in order. */
  updates: readonly EventOf<'update.requested'>[];
  /** The number of updates ever requested. */
  requested: number;
  /** Finished work that an update broke, until it is reopened. */
  stale: EventOf<'workspace.updated'>['stale'];
  /** Progress of a task command; unused in other runs. */
  command: CommandState;
  /** Steps of a features run by task, in the order they were added. */
  readonly steps: Map<string, FeatureStep>;
  status: RunStatus;
  /** The conversation that conducts the run; null if a Divisi process does. */
  conductor: Conductor | null;
  /** Deadlines given on the last resume, in place of the run's own. */
  deadlines: EventOf<'run.created'>['settings']['deadlines'];
  /** Given on the last start; null: a person is asked. */
  onTrouble: TroubleAnswer | null;
  /** The reason for the pause; empty if not paused. */
  reason: string;
  /** Paused until a person answers. */
  needsAnswer: boolean;
  planFile: string;
  /** Hash of the plan file as last written, and the one before: a crash may have prevented the last write. */
  planHashes: readonly string[];
  /** Number of applied edits. */
  amendments: number;
  /** Amendments a person has approved, not yet applied. */
  accepted: readonly Amendment[];
  readonly waves: WaveState[];
  /** The audit of existing work on resume; completed if none was requested. */
  readonly audit: WaveState;
  readonly final: WaveState;
  /** Tasks of the plan. */
  readonly tasks: Map<string, TaskState>;
  /** Tasks added by gates. */
  readonly gateTasks: Map<string, TaskState>;
  readonly gates: Map<string, Gate>;
  readonly findings: Map<string, Finding>;
  readonly checkpoints: CheckpointState[];
  /** Delegations that have not ended. */
  active: Map<DelegationId, ActiveDelegation>;
  /** Index of the current or next wave. */
  waveIndex: number;
  /** One at a time; null if none is in progress. */
  merge: Merge | null;
  /** Tip of the run's branch; null before the first merge. */
  head: string | null;
  /** Commits on the branch that no task made. */
  foreign: number;
  /** Of a shared checkout: files changed after their work was verified, as last found, and changes that anyone may have made. */
  drifted: EventOf<'work.drifted'>['files'];
  unattributed: readonly Unattributed[];
  /** A person has seen the current plan, so its commands may run. */
  confirmed: boolean;
  /** How acceptance commands end at the base, by `baseKey`. */
  readonly baseChecks: Map<string, BaseCheck>;
  /** Commands of the config that a person was asked about because they are red at the base, by `commandKey`. */
  readonly knownRed: Set<string>;
  /** Failed tasks of this wave by failure signature. */
  readonly failures: Map<string, readonly string[]>;
  /** Delegating is on hold until then. */
  quota: { readonly until: number; readonly guessed: boolean } | null;
  disk: DiskState;
  /** Quota limits in a row without a known end. */
  quotaGuesses: number;
  readonly spent: Spent;
  /** Extensions a person has granted, by budget. */
  readonly granted: Record<BudgetKey, number>;
  /** Time of the last event. */
  lastAt: number;
  readonly index: RunIndex;
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
    workspaces: created.workspace === undefined ? [] : [created.workspace],
    updates: [],
    requested: 0,
    stale: [],
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
    findings: new Map(),
    checkpoints,
    active: new Map(),
    waveIndex: 0,
    merge: null,
    head: null,
    foreign: 0,
    drifted: [],
    unattributed: [],
    confirmed: false,
    baseChecks: new Map(),
    knownRed: new Set(),
    failures: new Map(),
    quota: null,
    disk: newDisk(),
    quotaGuesses: 0,
    deadlines: {},
    onTrouble: null,
    spent: newSpent(),
    granted: { minutes: 0, delegations: 0, tokens: 0, cost: 0 },
    lastAt: 0,
    index: newIndex(),
  };
}

export function checkpointId(number: number): string {
  return `checkpoint-${number}`;
}

/** The id of the next unplanned checkpoint. */
export function nextCheckpoint({ checkpoints }: RunState): { readonly checkpoint: string } {
  return { checkpoint: checkpointId(checkpoints.length + 1) };
}

/** The running or next wave: the audit, one of the plan's, or the final review. */
export function currentWave({ audit, waves, waveIndex, final }: RunState): WaveState {
  return audit.status === 'completed' ? (waves[waveIndex] ?? final) : audit;
}

/** Undefined for an unknown number. */
export function waveAt({ audit, waves, final }: RunState, number: number): WaveState | undefined {
  if (number === audit.number) return audit;
  return number === final.number ? final : waves[number - 1];
}

/** A task of the plan or one added by a gate. */
export function findTask({ tasks, gateTasks }: RunState, id: string): TaskState | undefined {
  return tasks.get(id) ?? gateTasks.get(id);
}

export function addWave(state: RunState, added: Extract<Amendment, { kind: 'add-wave' }>): void {
  const { number: inPlan, title, reviewTier, reviewer } = added;
  state.waves.push({ ...newWave(state.waves.length + 1), inPlan, title, reviewTier, ...defined({ reviewer }) });
  state.final.number += 1;
  for (const task of state.final.added) task.wave = state.final.number;
}

/** The tasks a checkpoint asks about. */
export function tasksAskedAt({ tasks, gateTasks }: RunState, checkpoint: string): TaskState[] {
  return [...tasks.values(), ...gateTasks.values()].filter(({ progress }) => {
    const asks = progress.status === 'ended' ? progress.asks : undefined;
    return asks !== undefined && 'checkpoint' in asks && asks.checkpoint === checkpoint;
  });
}

export function openCheckpoints({ checkpoints }: RunState): CheckpointState[] {
  return checkpoints.filter(({ status }) => status === 'open');
}
