/**
 * What has become of a run that is paused or over, as text: with the events that planned it, the state its events give. At rest
 * nobody waits and nobody has a place, so that there is little to keep.
 */
import type { TaskProgress, RunState } from './state.ts';

interface Rest {
  readonly status: RunState['status'];
  readonly reason: string;
  readonly planFile: string;
  readonly planHashes: readonly string[];
  readonly waveIndex: number;
  readonly unsettled: number;
  readonly waves: readonly RunState['waves'][number]['status'][];
  readonly checkpoints: readonly RunState['checkpoints'][number]['status'][];
  /** In the order in which they were planned. */
  readonly tasks: readonly (readonly [attempts: number, progress: TaskProgress])[];
  readonly ended: readonly string[];
}

/** Undefined while the run is not at rest. */
export function writeRest(state: RunState): string | undefined {
  if (state.status === 'planning' || state.status === 'running' || state.active.size > 0) return undefined;
  const { status, reason, planFile, planHashes, waveIndex, unsettled } = state;
  const rest: Rest = {
    status,
    reason,
    planFile,
    planHashes,
    waveIndex,
    unsettled,
    waves: state.waves.map((wave) => wave.status),
    checkpoints: state.checkpoints.map((checkpoint) => checkpoint.status),
    tasks: Array.from(state.tasks.values(), ({ attempts, progress }) => [attempts, progress] as const),
    ended: [...state.ended.keys()],
  };
  return JSON.stringify(rest);
}

/** `planned` has been through the events that planned the run and no other; it is changed. False: the text is not this run's. */
export function readRest(planned: RunState, text: string): boolean {
  const rest = parse(text);
  if (rest?.tasks.length !== planned.tasks.size || rest.waves.length !== planned.waves.length) return false;
  const { status, reason, planFile, planHashes, waveIndex, unsettled } = rest;
  Object.assign(planned, { status, reason, planFile, planHashes, waveIndex, unsettled });
  for (const [index, wave] of planned.waves.entries()) wave.status = rest.waves[index] ?? wave.status;
  for (const [index, one] of planned.checkpoints.entries()) one.status = rest.checkpoints[index] ?? one.status;
  let index = 0;
  for (const task of planned.tasks.values()) {
    [task.attempts, task.progress] = rest.tasks[index] ?? [task.attempts, task.progress];
    index += 1;
  }
  for (const id of rest.ended) {
    const task = planned.tasks.get(id);
    if (task !== undefined) planned.ended.set(id, task);
  }
  return true;
}

/** Written by this version of the core, or thrown away: only damage is looked for. */
function parse(text: string): Rest | undefined {
  try {
    return JSON.parse(text) as Rest;
  } catch {
    return undefined;
  }
}
