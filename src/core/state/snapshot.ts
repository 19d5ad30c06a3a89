/**
 * Writes and restores the snapshot of a paused or ended run. With the events that planned the run it gives the same
 * state as all events do. It stays small because such a run has no queues and no slots in use.
 */
import type { BaseCheck } from '../event/base-check.ts';
import { rulesOf } from '../event/run-kind.ts';
import type { Gate } from './gate.ts';
import { clearSlots } from './slots.ts';
import type { RunIndex } from './run-index.ts';
import { findTask, type RunState, type WaveState } from './state.ts';
import type { DelegationId } from '../../base/ids.ts';
import { type Attempt, newAttempt, newTask, type TaskState } from './task-state.ts';

const kept = [
  'workspaces',
  'updates',
  'requested',
  'stale',
  'status',
  'conductor',
  'reason',
  'needsAnswer',
  'planFile',
  'planHashes',
  'accepted',
  'waveIndex',
  'quota',
  'disk',
  'quotaGuesses',
  'deadlines',
  'onTrouble',
  'spent',
  'granted',
  'lastAt',
  'merge',
  'head',
  'foreign',
  'drifted',
  'unattributed',
  'confirmed',
  'command',
] as const;

const keptOfTask = ['tier', 'key', 'tries', 'losses', 'failures', 'notes', 'namedBy', 'spent', 'before'] as const;

type TaskMore = Pick<TaskState, (typeof keptOfTask)[number]>;

/** Everything about a task that its plan does not contain. */
type TaskRest = readonly [
  attempts: number,
  progress: TaskState['progress'],
  attempt: Attempt | readonly [delegation: DelegationId, endedAt: number] | null,
  more?: TaskMore,
];

/** The index without queues, slots and locks. */
interface IndexRest extends Pick<RunIndex, 'unsettled'> {
  readonly dueGates: readonly string[];
  readonly deferred: readonly string[];
  readonly tripped: readonly string[];
  readonly ended: readonly string[];
  readonly settling: readonly string[];
}

interface Rest {
  readonly plain: Pick<RunState, (typeof kept)[number]>;
  /** The audit, the plan's waves, the final review. */
  readonly waves: readonly WaveState['status'][];
  /** In planned order. */
  readonly tasks: readonly TaskRest[];
  readonly gateTasks: readonly (readonly [
    planned: Pick<TaskState, 'planned' | 'wave' | 'role' | 'gate'>,
    rest: TaskRest,
  ])[];
  readonly gates: readonly Gate[];
  readonly findings: readonly (readonly [string, ReturnType<RunState['findings']['get']>])[];
  readonly checkpoints: RunState['checkpoints'];
  readonly failures: readonly (readonly [string, readonly string[]])[];
  readonly baseChecks: readonly (readonly [string, BaseCheck])[];
  readonly knownRed: readonly string[];
  readonly index: IndexRest;
}

/** Undefined while the run is active, or if its plan has changed since the start. */
export function writeSnapshot(state: RunState): string | undefined {
  if (state.status === 'planning' || state.status === 'running' || state.active.size > 0) return undefined;
  if (state.amendments > 0 || rulesOf(state.created).grows) return undefined;
  const rest: Rest = {
    plain: Object.fromEntries(kept.map((key) => [key, state[key]])) as Rest['plain'],
    waves: wavesOf(state).map(({ status }) => status),
    tasks: Array.from(state.tasks.values(), taskRest),
    gateTasks: Array.from(state.gateTasks.values(), (task) => {
      const { planned, wave, role, gate } = task;
      return [{ planned, wave, role, gate }, taskRest(task)] as const;
    }),
    gates: [...state.gates.values()],
    findings: [...state.findings],
    checkpoints: state.checkpoints,
    failures: [...state.failures],
    baseChecks: [...state.baseChecks],
    knownRed: [...state.knownRed],
    index: indexRest(state.index),
  };
  return JSON.stringify(rest);
}

function indexRest({ dueGates, deferred, unsettled, tripped, ended, settling }: RunIndex): IndexRest {
  return {
    dueGates: [...dueGates],
    deferred: [...deferred],
    unsettled,
    tripped: [...tripped],
    ended: [...ended.keys()],
    settling: [...settling.keys()],
  };
}

function wavesOf({ audit, waves, final }: RunState): WaveState[] {
  return [audit, ...waves, final];
}

function taskRest(task: TaskState): TaskRest {
  const { planned, attempts, progress, tier, key, tries, losses, failures, notes, namedBy, spent, before } = task;
  const isPlain =
    tier === planned.tier && key === null && tries + losses + failures.length + notes.length + namedBy.length === 0;
  const attempt = attemptRest(task.attempt);
  if (isPlain && spent === null && before === null) return [attempts, progress, attempt];
  return [attempts, progress, attempt, Object.fromEntries(keptOfTask.map((name) => [name, task[name]])) as TaskMore];
}

/** Short form for an attempt without a workspace: a run may have a hundred thousand of them. */
function attemptRest(attempt: Attempt | null): TaskRest[2] {
  if (attempt === null) return null;
  const { delegation, endedAt, room, conversation, verification } = attempt;
  const isPlain = room === null && conversation === null && verification === null;
  return isPlain ? [delegation, endedAt] : attempt;
}

function restore(task: TaskState, [attempts, progress, attempt, more]: TaskRest): void {
  Object.assign(task, { attempts, progress, ...more });
  if (attempt === null) return;
  const [delegation, endedAt] = 'delegation' in attempt ? [attempt.delegation, attempt.endedAt] : attempt;
  task.attempt = { ...newAttempt(delegation), ...('delegation' in attempt ? attempt : {}), endedAt };
}

/**
 * Changes `planned`, which has seen only the events that planned the run. Returns false if the text does not belong
 * to this run.
 */
export function restoreSnapshot(planned: RunState, text: string): boolean {
  const rest = parse(text);
  const waves = wavesOf(planned);
  if (rest?.tasks.length !== planned.tasks.size || rest.waves.length !== waves.length) return false;
  Object.assign(planned, rest.plain);
  for (const [index, wave] of waves.entries()) wave.status = rest.waves[index] ?? wave.status;
  let index = 0;
  for (const task of planned.tasks.values()) {
    const own = rest.tasks[index];
    if (own !== undefined) restore(task, own);
    index += 1;
  }
  for (const [{ planned: own, wave, role, gate }, more] of rest.gateTasks) {
    const task = newTask(own, wave, role, gate);
    restore(task, more);
    planned.gateTasks.set(own.id, task);
    waves[wave]?.added.push(task);
  }
  planned.checkpoints.splice(0, planned.checkpoints.length, ...rest.checkpoints);
  fill(planned, rest);
  // Tasks being verified or merged keep their locks.
  clearSlots(planned);
  return true;
}

function fill(state: RunState, rest: Rest): void {
  for (const gate of rest.gates) state.gates.set(gate.key, gate);
  for (const [id, finding] of rest.findings) if (finding !== undefined) state.findings.set(id, finding);
  for (const [signature, tasks] of rest.failures) state.failures.set(signature, tasks);
  for (const [key, check] of rest.baseChecks) state.baseChecks.set(key, check);
  for (const key of rest.knownRed) state.knownRed.add(key);
  fillIndex(state, rest.index);
}

function fillIndex(state: RunState, { dueGates, deferred, unsettled, tripped, ended, settling }: IndexRest): void {
  const { index } = state;
  index.unsettled = unsettled;
  for (const key of dueGates) index.dueGates.add(key);
  for (const id of deferred) index.deferred.add(id);
  for (const signature of tripped) index.tripped.add(signature);
  for (const id of ended) {
    const task = findTask(state, id);
    if (task !== undefined) index.ended.set(id, task);
  }
  for (const id of settling) {
    const task = findTask(state, id);
    if (task !== undefined) index.settling.set(id, task);
  }
}

/** Checks for damage only: snapshots of other core versions are never passed in. */
function parse(text: string): Rest | undefined {
  try {
    return JSON.parse(text) as Rest;
  } catch {
    return undefined;
  }
}
