/** Live model: the data of the live view. Texts are raw; the view makes them safe. */
import type { RunState } from '../../core/state/state.ts';
import type { TaskProgress, TaskState } from '../../core/state/task-state.ts';
import type { Liveness } from '../run/liveness.ts';

/** Task states as a person sorts them. */
export const standings = ['running', 'trouble', 'waiting', 'skipped', 'completed'] as const;
export type Standing = (typeof standings)[number];
export type Counts = Readonly<Record<Standing, number>>;

export interface AgentActivity {
  /** Time of the agent's last message. */
  readonly at: number;
  /** Its last message or action; empty before the first. */
  readonly line: string;
  /** Absent where it was not probed. */
  readonly liveness?: Liveness;
}

export interface LiveTask {
  readonly id: string;
  /** Position in the wave. */
  readonly place: number;
  readonly title: string;
  readonly tier: string;
  /** Runs at a stronger tier than the plan's. */
  readonly escalated: boolean;
  readonly status: TaskProgress['status'];
  readonly standing: Standing;
  /** Start of the running attempt. */
  readonly since?: number;
  /** Milliseconds of the last attempt. */
  readonly took?: number;
  readonly activity?: AgentActivity;
  /** What it waits for, why it failed, or what it did. */
  readonly words: string;
}

export interface LiveWave {
  readonly number: number;
  readonly title: string;
  readonly status: 'pending' | 'running' | 'reviewing' | 'fixing' | 'completed' | 'failed';
  readonly counts: Counts;
}

export interface LiveCheckpoint {
  readonly id: string;
  readonly why: string;
  /** The consequence of each answer. */
  readonly approve: string;
  readonly reject: string;
  /** A newer edit may replace it, so an answer names it. */
  readonly isEdit?: true;
}

export interface LiveModel {
  readonly run: string;
  readonly title: string;
  readonly status: string;
  /** When this process started working on it. */
  readonly since: number;
  readonly counts: Counts;
  readonly wave: LiveWave | null;
  /** Tasks of the current wave, most urgent first; may be cut. */
  readonly tasks: readonly LiveTask[];
  /** The waves nearest to the current one. */
  readonly before: readonly LiveWave[];
  readonly after: readonly LiveWave[];
  readonly waves: number;
  /** Open checkpoints, oldest first. */
  readonly checkpoints: readonly LiveCheckpoint[];
  /** When the run continues automatically; `guessed` where no client reported the time. */
  readonly quota: { readonly until: number; readonly guessed: boolean } | null;
  /** Null while there is enough space. */
  readonly disk: { readonly free: number; readonly needs: number } | null;
}

export function noCounts(): Record<Standing, number> {
  return { running: 0, trouble: 0, waiting: 0, skipped: 0, completed: 0 };
}

export function totalOf(counts: Counts): number {
  return standings.reduce((sum, standing) => sum + counts[standing], 0);
}

/** A task that waits for a person is in trouble. */
export function standingOf(progress: TaskProgress): Standing {
  const { status } = progress;
  switch (status) {
    case 'pending':
      return 'waiting';
    case 'running':
    case 'repairing':
    case 'verifying':
    case 'merging':
      return 'running';
    case 'ended':
      return progress.asks !== undefined && 'checkpoint' in progress.asks ? 'trouble' : 'running';
    case 'completed':
    case 'skipped':
      return status;
    case 'partial':
    case 'failed':
    case 'blocked':
      return 'trouble';
    default:
      return status satisfies never;
  }
}

/** Tasks held by an open circuit breaker wait for a person too. */
export function standingIn({ checkpoints }: RunState, { progress }: TaskState): Standing {
  const isUndecided = progress.status === 'ended' && progress.asks === undefined;
  const isHeld = isUndecided && checkpoints.some(({ status, kind }) => status === 'open' && kind === 'breaker');
  return isHeld ? 'trouble' : standingOf(progress);
}
