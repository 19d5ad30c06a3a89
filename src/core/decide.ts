/**
 * What to do next: plain data in, plain data out, no clock, no chance. Called again after each round of events, until it
 * has nothing more to say; then only what is running can change anything.
 */
import type { NewEvent, PlannedTask } from './event.ts';
import type { CheckpointState, RunState, TaskState } from './state.ts';

/** Most decisions are facts to be recorded; two have an effect outside as well. */
export type Command =
  | { readonly kind: 'record'; readonly event: NewEvent }
  | { readonly kind: 'open-checkpoint'; readonly checkpoint: CheckpointState }
  | { readonly kind: 'delegate'; readonly task: PlannedTask; readonly wave: number; readonly attempt: number };

function fact(event: NewEvent): Command {
  return { kind: 'record', event };
}

const nothing: readonly Command[] = [];

/** What has ended is dealt with first: what follows depends on it. */
export function decide(state: RunState): readonly Command[] {
  if (state.status !== 'running') return nothing;
  if (state.ended.size > 0) return [...state.ended.values()].map(settlement);
  if (state.toSkip.size > 0) {
    return [...state.toSkip].map(([task, { because }]) => fact({ kind: 'task.skipped', task, because }));
  }
  const wave = state.waves[state.waveIndex];
  if (wave === undefined) return betweenWaves(state) ?? [endOf(state)];
  if (wave.status === 'pending') return betweenWaves(state) ?? [fact({ kind: 'wave.started', wave: wave.number })];
  if (state.unsettled === 0) {
    return [fact({ kind: 'wave.ended', wave: wave.number, status: waveEnd(wave.tasks) })];
  }
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
  return fact({ kind: 'task.settled', task: planned.id, status: progress.outcome.status });
}

/** A checkpoint that holds the run up here, if there is one: the command that opens it, or nothing while it is open. */
function betweenWaves(state: RunState): readonly Command[] | undefined {
  for (const checkpoint of state.checkpoints) {
    if (checkpoint.afterWave > state.waveIndex || checkpoint.status === 'approved') continue;
    if (checkpoint.status === 'coming') return [{ kind: 'open-checkpoint', checkpoint }];
    return checkpoint.status === 'open' ? nothing : [fact({ kind: 'run.ended', status: 'cancelled' })];
  }
  return undefined;
}

function waveEnd(tasks: readonly TaskState[]): 'completed' | 'failed' {
  return tasks.every(({ progress }) => progress.status === 'completed') ? 'completed' : 'failed';
}

function endOf(state: RunState): Command {
  const completed = state.waves.every(({ status }) => status === 'completed');
  return fact({ kind: 'run.ended', status: completed ? 'completed' : 'failed' });
}
