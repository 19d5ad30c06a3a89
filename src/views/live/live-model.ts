/** What the live view shows, as plain data. Its texts are as agents and plans wrote them: whoever shows them makes them harmless. */
import type { RunState } from '../../core/state/state.ts';
import type { TaskProgress, TaskState } from '../../core/state/task-state.ts';
import type { Liveness } from '../run/liveness.ts';

/** The words of a task, sorted by what a person wants to know of it. */
export const standings = ['running', 'trouble', 'waiting', 'skipped', 'completed'] as const;
export type Standing = (typeof standings)[number];
export type Counts = Readonly<Record<Standing, number>>;

export interface Activity {
  /** When something last came from the agent. */
  readonly at: number;
  /** What it last said or did; empty where that is nothing yet. */
  readonly line: string;
  /** Where it has been looked at. */
  readonly liveness?: Liveness;
}

export interface LiveTask {
  readonly id: string;
  /** Its place in the wave. */
  readonly place: number;
  readonly title: string;
  readonly tier: string;
  /** Works on a stronger tier than the plan's. */
  readonly escalated: boolean;
  readonly status: TaskProgress['status'];
  readonly standing: Standing;
  /** Of the attempt that runs. */
  readonly since?: number;
  /** Milliseconds of the attempt that ended. */
  readonly took?: number;
  readonly activity?: Activity;
  /** What it waits for, why it failed, what it did. */
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
  /** What follows from either answer. */
  readonly approve: string;
  readonly reject: string;
  /** Another may take its place: an answer names it. */
  readonly isEdit?: true;
}

export interface LiveModel {
  readonly run: string;
  readonly title: string;
  readonly status: string;
  /** Since when this process works on it. */
  readonly since: number;
  readonly counts: Counts;
  readonly wave: LiveWave | null;
  /** Of the current wave, what matters most first; perhaps not all of them. */
  readonly tasks: readonly LiveTask[];
  /** The waves nearest to the current one, and how many there are in all. */
  readonly before: readonly LiveWave[];
  readonly after: readonly LiveWave[];
  readonly waves: number;
  /** Open ones, the first to be answered first. */
  readonly checkpoints: readonly LiveCheckpoint[];
  /** The run goes on by itself at this time; `guessed` when nobody said so. */
  readonly quota: { readonly until: number; readonly guessed: boolean } | null;
}

export function noCounts(): Record<Standing, number> {
  return { running: 0, trouble: 0, waiting: 0, skipped: 0, completed: 0 };
}

export function totalOf(counts: Counts): number {
  return standings.reduce((sum, standing) => sum + counts[standing], 0);
}

/** What waits for a person is trouble. */
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

/** What the circuit breaker holds waits for a person too, although it asks nothing itself. */
export function standingIn({ checkpoints }: RunState, { progress }: TaskState): Standing {
  const isUndecided = progress.status === 'ended' && progress.asks === undefined;
  const isHeld = isUndecided && checkpoints.some(({ status, kind }) => status === 'open' && kind === 'breaker');
  return isHeld ? 'trouble' : standingOf(progress);
}
