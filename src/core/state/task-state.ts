/** Task state: progress, attempts and dependencies of one task. */
import type { DelegationId } from '../../base/ids.ts';
import { statuses } from '../../contracts/status.ts';
import type { FailureClass } from '../../gates/failure-policy.ts';
import type { Tier } from '../../plan/plan.ts';
import type { End } from '../event/event.ts';
import { acceptedByPerson } from '../event/make-outcome.ts';
import type { CompletedOutcome, FailedOutcome, Outcome, ReportedError } from '../event/outcome.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import type { Role } from '../event/role.ts';
import type { Queue } from './queue.ts';
import type { Spent } from './spent.ts';
import type { Conflict, RoomFacts, Verification } from '../event/verification.ts';

export type TaskProgress =
  | { readonly status: 'pending' }
  | { readonly status: 'running' | 'repairing'; readonly delegation: DelegationId }
  /** The agent has returned: its claim is checked against the facts, then the work is merged. */
  | { readonly status: 'verifying' | 'merging'; readonly delegation: DelegationId; readonly outcome: CompletedOutcome }
  /** The attempt is over and its consequence undecided: a person or a gate may be asked. */
  | {
      readonly status: 'ended';
      readonly end: End;
      readonly outcome: Outcome;
      readonly asks?: { readonly checkpoint: string } | { readonly gate: string };
      /** The answer of the person or the gate. */
      readonly answer?: boolean;
    }
  /** Without an outcome if ticked in the plan. */
  | { readonly status: 'completed'; readonly outcome?: CompletedOutcome }
  | { readonly status: FailedOutcome['status']; readonly outcome: FailedOutcome }
  | { readonly status: 'skipped'; readonly because: string };

/** Account of a failed attempt for the next one. In the agent's words. */
export interface Account {
  readonly attempt: number;
  readonly tier: Tier;
  readonly status: FailedOutcome['status'];
  readonly class: FailureClass;
  readonly message: string;
  readonly delegation?: DelegationId;
  /** When it ended: milliseconds. */
  readonly at?: number;
  /** As the agent reports them. */
  readonly errors?: readonly ReportedError[];
  readonly report?: string;
  /** The commit of the work it left, if kept. */
  readonly commit?: string;
  /** The files it left in its room. */
  readonly left?: readonly string[];
  /** What it said remains to be done. */
  readonly nextSteps?: string;
}

/** The room of the previous attempt, and whether the next one continues its work. */
export interface PreviousAttempt {
  readonly room: RoomFacts;
  readonly continuesWork: boolean;
  readonly conversation: ClientConversation | null;
}

/** The client's id for the conversation of an attempt. */
export interface ClientConversation {
  readonly driver: string;
  readonly id: string;
}

const nothing: readonly never[] = [];

/** Everything known about one attempt at a task. */
export interface Attempt {
  readonly delegation: DelegationId;
  room: RoomFacts | null;
  conversation: ClientConversation | null;
  verification: Verification | null;
  /** Its commit on the run's branch, once merged. */
  commit: string | null;
  /** Files that could not be merged. */
  conflicts: readonly Conflict[];
  /** 0 while it runs. */
  endedAt: number;
}

export function newAttempt(delegation: DelegationId): Attempt {
  return {
    delegation,
    room: null,
    conversation: null,
    verification: null,
    commit: null,
    conflicts: nothing,
    endedAt: 0,
  };
}

/** When the last attempt ended: milliseconds; 0 before that. */
export const endedAt = ({ attempt }: TaskState): number => attempt?.endedAt ?? 0;

export interface TaskState {
  planned: PlannedTask;
  wave: number;
  readonly role: Role;
  /** The subject of a task that a gate added; null for a task of the plan. */
  readonly gate: string | null;
  /** Tier of the next attempt. */
  tier: Tier;
  /** Content key of the last attempt; null before the first. See `work-key.ts`. */
  key: string | null;
  attempts: number;
  /** The last one, running or ended; null before the first. */
  attempt: Attempt | null;
  /** The previous attempt, until the current one has its own room: its work exists nowhere else. */
  before: PreviousAttempt | null;
  /** Failures at this tier. */
  tries: number;
  /** Consecutive losses of the orchestrator during this task. */
  losses: number;
  /** The most recent ones, in order. */
  failures: readonly Account[];
  /** Notes from people. */
  notes: readonly string[];
  /** Tasks whose agents' notes name this one, by id. */
  namedBy: readonly string[];
  /** Null until something was spent. */
  spent: Spent | null;
  progress: TaskProgress;
  /** Dependencies in the same wave that have not completed. */
  open: number;
  /** Tasks of the same wave that wait for this one. */
  dependents: TaskState[];
  /** The group it is queued or runs in. */
  group: Group | null;
}

/** The agent has returned, but the attempt is not over. */
export function isSettling(status: TaskProgress['status']): status is 'verifying' | 'merging' {
  return status === 'verifying' || status === 'merging';
}

/** Accepted by a person after its slot and locks were released: another task may be running in its scope. */
export function isAccepted({ progress }: TaskState): boolean {
  const isUnsettled = progress.status === 'verifying' || progress.status === 'merging';
  return isUnsettled && progress.outcome.degraded.includes(acceptedByPerson);
}

/** The task has come to an end, for better or worse. */
export function isSettled(status: TaskProgress['status']): boolean {
  return status === 'skipped' || statuses.some((one) => one === status);
}

export const pending: TaskProgress = { status: 'pending' };

export function newTask(
  planned: PlannedTask,
  wave: number,
  role: Role = 'work',
  gate: string | null = null,
): TaskState {
  return {
    planned,
    wave,
    role,
    gate,
    tier: planned.tier,
    key: null,
    attempts: 0,
    attempt: null,
    before: null,
    tries: 0,
    losses: 0,
    failures: nothing,
    notes: nothing,
    namedBy: nothing,
    spent: null,
    progress: planned.done ? { status: 'completed' } : pending,
    open: 0,
    dependents: [],
    group: null,
  };
}

/**
 * Ready tasks with the same scope, in order. They can only run one after another, so they wait as one: only the first
 * is compared with the locks.
 */
export interface Group {
  readonly scope: readonly string[];
  readonly tasks: Queue<TaskState>;
  /** The task whose lock blocks the group; null while the group waits for a free slot. */
  behind: string | null;
}
