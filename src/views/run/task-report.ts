/** Where a task of a run stands, as data. */
import { defined } from '../../base/defined.ts';
import type { Usage } from '../../core/event/outcome.ts';
import type { RunState } from '../../core/state/state.ts';
import type { TaskProgress, TaskState } from '../../core/state/task-state.ts';
import type { Verification } from '../../core/event/verification.ts';
import { type Waiting, waitingFor } from '../../core/state/waiting.ts';
import type { Mark, Tier } from '../../plan/plan.ts';
import { markOf } from '../files/plan-changes.ts';
import type { Proof } from './proof-text.ts';

export interface TaskReport {
  readonly task: string;
  readonly title: string;
  readonly wave: number;
  readonly status: TaskProgress['status'];
  readonly mark: Mark;
  /** Of its last attempt, or of the next. */
  readonly tier: Tier;
  readonly attempts: number;
  readonly summary?: string;
  readonly failure?: { readonly class: string; readonly message: string };
  readonly report?: string;
  /** Of its last attempt; absent where its client said nothing. */
  readonly usage?: Usage;
  readonly degraded?: readonly string[];
  /** What was found out about its last attempt. */
  readonly verification?: Proof;
  /** Of its work in the run's branch. */
  readonly commit?: string;
  readonly because?: string;
  readonly waiting?: Waiting;
  readonly delegation?: string;
}

export function taskReport(state: RunState, task: TaskState): TaskReport {
  const { planned, wave, attempts, progress, tier, verification, commit } = task;
  const waiting = waitingFor(state, task);
  const base = {
    task: planned.id,
    title: planned.title,
    wave,
    status: progress.status,
    mark: markOf(state, task),
    tier,
    attempts,
  };
  const extra = {
    ...defined({ waiting }),
    ...('because' in progress ? { because: progress.because } : {}),
    ...('delegation' in progress ? { delegation: progress.delegation } : {}),
    ...(verification === null ? {} : { verification: proofOf(verification) }),
    ...(commit === null ? {} : { commit }),
  };
  if (!('outcome' in progress) || progress.outcome === undefined) return { ...base, ...extra };
  const { summary, failure, report, usage, degraded } = progress.outcome;
  return {
    ...base,
    ...extra,
    summary,
    ...defined({ failure, report, usage }),
    ...(degraded.length === 0 ? {} : { degraded }),
  };
}

function proofOf(verification: Verification): Proof {
  const { changes: _changes, ...proof } = verification;
  return proof;
}

/** What follows from an attempt that is over is up to a person or a review. */
export function statusWord(status: string): string {
  return status === 'ended' ? 'undecided' : status;
}
