/**
 * What to do next: plain data in, plain data out, no clock, no chance. Called again after each round of events, until it
 * has nothing more to say; then only what is running can change anything.
 */
import type { Status } from '../contracts/status.ts';
import type { PlannedTask, RunEnd } from './event.ts';
import type { CheckpointState, RunState, TaskState } from './state.ts';

export type Command =
  | { readonly kind: 'settle'; readonly task: string; readonly status: Status }
  | { readonly kind: 'skip'; readonly task: string; readonly because: string }
  | { readonly kind: 'end-wave'; readonly wave: number; readonly status: 'completed' | 'failed' }
  | { readonly kind: 'start-wave'; readonly wave: number }
  | { readonly kind: 'open-checkpoint'; readonly checkpoint: CheckpointState }
  | { readonly kind: 'delegate'; readonly task: PlannedTask; readonly wave: number; readonly attempt: number }
  | { readonly kind: 'end-run'; readonly status: RunEnd };

const nothing: readonly Command[] = [];

/** What has ended is dealt with first: what follows depends on it. */
export function decide(state: RunState): readonly Command[] {
  if (state.status !== 'running') return nothing;
  if (state.ended.size > 0) return [...state.ended.values()].map(settlement);
  if (state.toSkip.size > 0) {
    return [...state.toSkip].map(([task, { because }]): Command => ({ kind: 'skip', task, because }));
  }
  const wave = state.waves[state.at];
  if (wave === undefined) return betweenWaves(state) ?? [endOf(state)];
  if (wave.status === 'pending') return betweenWaves(state) ?? [{ kind: 'start-wave', wave: wave.number }];
  if (state.unsettled === 0) return [{ kind: 'end-wave', wave: wave.number, status: waveEnd(wave.tasks) }];
  if (state.startable.size === 0) return nothing;
  return [...state.startable.values()].map(({ planned, wave: number, attempts }): Command => ({
    kind: 'delegate',
    task: planned,
    wave: number,
    attempt: attempts + 1,
  }));
}

/** One attempt decides: it has returned, or its time was up. What is lost or cancelled never gets here. */
function settlement({ planned, progress }: TaskState): Command {
  if (progress.status !== 'ended') throw new Error(`task ${planned.id} is in the wrong list`);
  return { kind: 'settle', task: planned.id, status: progress.outcome.status };
}

/** A checkpoint that holds the run up here, if there is one: the command that opens it, or nothing while it is open. */
function betweenWaves(state: RunState): readonly Command[] | undefined {
  for (const checkpoint of state.checkpoints) {
    if (checkpoint.afterWave > state.at || checkpoint.status === 'approved') continue;
    if (checkpoint.status === 'coming') return [{ kind: 'open-checkpoint', checkpoint }];
    return checkpoint.status === 'open' ? nothing : [{ kind: 'end-run', status: 'cancelled' }];
  }
  return undefined;
}

function waveEnd(tasks: readonly TaskState[]): 'completed' | 'failed' {
  return tasks.every(({ progress }) => progress.status === 'completed') ? 'completed' : 'failed';
}

function endOf(state: RunState): Command {
  const completed = state.waves.every(({ status }) => status === 'completed');
  return { kind: 'end-run', status: completed ? 'completed' : 'failed' };
}
