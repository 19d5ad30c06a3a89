/** Task state: progress, attempts and dependencies of one task. */
import type { DelegationId } from '../../base/ids.ts';
import type { FailureClass } from '../../gates/failure-policy.ts';
import type { Tier } from '../../plan/plan.ts';
import type { End } from '../event/event.ts';
import { acceptedByPerson } from '../event/make-outcome.ts';
import type { CompletedOutcome, FailedOutcome, Outcome } from '../event/outcome.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import type { Role } from '../event/role.ts';
import type { Queue } from './queue.ts';
import type { Spent } from './spent.ts';
import type { Conflict, Verification, WorktreeFacts } from '../event/verification.ts';

export type TaskProgress =
  | { readonly status: 'pending' }
  | { readonly status: 'running' | 'repairing'; readonly delegation: DelegationId }
  /** Its agent says that it is done: that is held against the facts, then goes into the run's branch. */
  | { readonly status: 'verifying' | 'merging'; readonly delegation: DelegationId; readonly outcome: CompletedOutcome }
  /** An attempt is over; what follows from it has not been decided: a person or a gate is asked. */
  | {
      readonly status: 'ended';
      readonly end: End;
      readonly outcome: Outcome;
      readonly asks?: { readonly checkpoint: string } | { readonly gate: string };
      /** What the person, or the gate, has said. */
      readonly answer?: boolean;
    }
  /** Without an outcome: ticked in the plan. */
  | { readonly status: 'completed'; readonly outcome?: CompletedOutcome }
  | { readonly status: FailedOutcome['status']; readonly outcome: FailedOutcome }
  | { readonly status: 'skipped'; readonly because: string };

/** An attempt that failed, for whoever tries next. The words are an agent's. */
export interface Account {
  readonly attempt: number;
  readonly tier: Tier;
  readonly status: FailedOutcome['status'];
  readonly class: FailureClass;
  readonly message: string;
  readonly report?: string;
  /** What it left, where that is kept. */
  readonly commit?: string;
}

/** Where an earlier attempt worked, and whether the next one goes on with what it left. */
export interface PreviousAttempt {
  readonly worktree: WorktreeFacts;
  readonly continuesWork: boolean;
  readonly conversation: ClientConversation | null;
}

/** What the client of an attempt calls its conversation. */
export interface ClientConversation {
  readonly driver: string;
  readonly id: string;
}

const nothing: readonly never[] = [];

/** Everything known about one attempt at a task. */
export interface Attempt {
  readonly delegation: DelegationId;
  worktree: WorktreeFacts | null;
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
    worktree: null,
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
  /** What the work is about that a gate asked for; null for the plan's own. */
  readonly gate: string | null;
  /** That of the next attempt. */
  tier: Tier;
  /** What made the work of its last attempt the work it was; null before the first. See `work-key.ts`. */
  key: string | null;
  attempts: number;
  /** The last one, running or ended; null before the first. */
  attempt: Attempt | null;
  /** Where the one before it worked, until this one has a place of its own: what is there is nowhere else. */
  before: PreviousAttempt | null;
  /** Failures at this tier. */
  tries: number;
  /** How often in a row the orchestrator was lost with it. */
  losses: number;
  /** The last ones, in order. */
  failures: readonly Account[];
  /** What people have said about it. */
  notes: readonly string[];
  /** Null until something was. */
  spent: Spent | null;
  progress: TaskProgress;
  /** Dependencies in the same wave that have not completed. */
  open: number;
  /** Tasks of the same wave that wait for this one. */
  dependents: TaskState[];
  /** The group it waits or runs in; see `Group`. */
  group: Group | null;
}

/** Between the end of its agent and the end of the attempt. */
export function isSettling(status: TaskProgress['status']): status is 'verifying' | 'merging' {
  return status === 'verifying' || status === 'merging';
}

/** Taken as done by a person when it had left its place long ago: others may be at work in its scope by now. */
export function isAccepted({ progress }: TaskState): boolean {
  const isUnsettled = progress.status === 'verifying' || progress.status === 'merging';
  return isUnsettled && progress.outcome.degraded.includes(acceptedByPerson);
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
    spent: null,
    progress: planned.done ? { status: 'completed' } : pending,
    open: 0,
    dependents: [],
    group: null,
  };
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
