/** Task report: a task's status, mark and files as data. */
import { checksOf, failureOf, notesOf } from '../../core/event/make-outcome.ts';
import { defined } from '../../base/defined.ts';
import type { CheckRow, ReportedError, Usage } from '../../core/event/outcome.ts';
import type { RunState } from '../../core/state/state.ts';
import type { TaskProgress, TaskState } from '../../core/state/task-state.ts';
import type { Verification } from '../../core/event/verification.ts';
import { type Waiting, waitingFor } from '../../core/state/waiting.ts';
import type { Mark, Tier } from '../../plan/plan.ts';
import type { Proof } from './proof-text.ts';

export interface TaskReport {
  readonly task: string;
  readonly title: string;
  readonly wave: number;
  readonly status: TaskProgress['status'];
  readonly mark: Mark;
  /** Tier of the last attempt, or of the next. */
  readonly tier: Tier;
  readonly attempts: number;
  readonly summary?: string;
  readonly failure?: { readonly class: string; readonly message: string };
  /** Its notes to others; absent if it has none. */
  readonly notes?: readonly string[];
  /** Its account of the acceptance criteria, as it claims them; absent if it gave none. */
  readonly checks?: readonly CheckRow[];
  readonly report?: string;
  /** What the agent says about its errors and about the next steps, in its own words. */
  readonly errors?: readonly ReportedError[];
  readonly nextSteps?: string;
  /** Files of an attempt that did not complete. */
  readonly left?: readonly string[];
  /** Absolute: where the last attempt worked, while the task has not completed. */
  readonly room?: string;
  /** Usage of the last attempt; absent where its client reported none. */
  readonly usage?: Usage;
  readonly degraded?: readonly string[];
  /** Verification of the last attempt. */
  readonly verification?: Proof;
  /** Files of it that were changed after it was verified; absent if there are none. */
  readonly changedSince?: readonly string[];
  /** The task's commit on the run's branch. */
  readonly commit?: string;
  readonly because?: string;
  readonly waiting?: Waiting;
  readonly delegation?: string;
}

/** The room is removed when the task has completed. */
export function openRoomOf({ progress, attempt }: TaskState): string | undefined {
  const isOver = progress.status === 'completed' || progress.status === 'skipped';
  return isOver ? undefined : attempt?.room?.folder;
}

export function taskReport(state: RunState, task: TaskState): TaskReport {
  const { planned, wave, attempts, progress, tier } = task;
  const { verification = null, commit = null } = task.attempt ?? {};
  const waiting = waitingFor(state, task);
  const base = {
    task: planned.id,
    title: planned.title,
    wave,
    status: progress.status,
    mark: taskMark(state, task),
    tier,
    attempts,
  };
  const changedSince = changedAfter(state, task);
  const extra = {
    ...(changedSince.length === 0 ? {} : { changedSince }),
    ...defined({ waiting }),
    ...('because' in progress ? { because: progress.because } : {}),
    ...('delegation' in progress ? { delegation: progress.delegation } : {}),
    ...(verification === null ? {} : { verification: proofOf(verification) }),
    ...(commit === null ? {} : { commit }),
    ...defined({ room: openRoomOf(task) }),
  };
  if (!('outcome' in progress) || progress.outcome === undefined) return { ...base, ...extra };
  const { summary, report, usage, degraded, left, structuredResult: { errors, nextSteps } = {} } = progress.outcome;
  const failure = failureOf(progress.outcome);
  const notes = notesOf(progress.outcome);
  const checks = checksOf(progress.outcome);
  return {
    ...base,
    ...extra,
    summary,
    ...defined({ failure, report, errors, nextSteps, left, usage }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(checks.length === 0 ? {} : { checks }),
    ...(degraded.length === 0 ? {} : { degraded }),
  };
}

/** Files of a completed task that were changed after it was verified. */
function changedAfter({ drifted }: RunState, { planned, progress }: TaskState): string[] {
  if (progress.status !== 'completed') return [];
  return drifted.filter(({ task }) => task === planned.id).map(({ path }) => path);
}

function proofOf(verification: Verification): Proof {
  const { changes: _changes, ...proof } = verification;
  return proof;
}

/** After an attempt has ended, a person or a review decides. */
export function progressWord(status: string): string {
  return status === 'ended' ? 'undecided' : status;
}

/** A skipped task stays open: it runs once its dependencies complete. */
export function markFor(status: TaskProgress['status'], isEscalated: boolean): Mark {
  switch (status) {
    case 'pending':
    case 'skipped':
      return isEscalated ? '^' : ' ';
    case 'running':
    case 'repairing':
    case 'verifying':
    case 'merging':
    case 'ended':
      return isEscalated ? '^' : '~';
    case 'completed':
      return 'x';
    case 'partial':
    case 'failed':
    case 'blocked':
      return '!';
    default:
      return status satisfies never;
  }
}

/** A task that waits for a person's answer is marked as failed. */
export function taskMark(state: RunState, task: TaskState): Mark {
  const { progress, tier, planned } = task;
  const isAsking = progress.status === 'ended' && waitingFor(state, task)?.for === 'checkpoint';
  return isAsking ? '!' : markFor(progress.status, tier !== planned.tier);
}

/** Files of merged work; in a run without a branch, the files the task reports. */
export function mergedFiles({ created }: RunState, { attempt, progress }: TaskState): readonly string[] {
  if (created.workspace === undefined) return 'outcome' in progress ? (progress.outcome?.files ?? []) : [];
  return (attempt?.commit ?? null) === null ? [] : (attempt?.verification?.changes ?? []).map(({ path }) => path);
}
