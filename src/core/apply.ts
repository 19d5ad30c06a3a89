/**
 * What each event does to the state. The state is the caller's own and is changed in place; the same events give the same
 * state on any machine. An event that cannot follow from the state is refused: nothing is guessed.
 */
import { tuttiError } from '../contracts/error.ts';
import type { DelegationId } from '../contracts/ids.ts';
import type { EventOf, RunEnd, RunEvent } from './event.ts';
import { freshMap } from './fresh-map.ts';
import { clearPlaces, enqueue, givePlaces, leavePlace } from './places.ts';
import {
  type ActiveDelegation,
  type CheckpointState,
  isOver,
  newState,
  type RunState,
  type TaskProgress,
  type TaskState,
  type WaveState,
} from './state.ts';

const pending: TaskProgress = { status: 'pending' };

function illegal(event: RunEvent, why: string): Error {
  return tuttiError('EVENT_INVALID', {
    message: `${event.kind} cannot happen now: ${why}`,
    next: 'The ledger and this version of Tutti do not agree; keep `.tutti/ledger.db` and report it.',
    ids: { kind: event.kind },
  });
}

function taskOf(state: RunState, id: string, event: RunEvent): TaskState {
  const task = state.tasks.get(id);
  if (task === undefined) throw illegal(event, `there is no task ${id}`);
  return task;
}

function activeOf(state: RunState, id: DelegationId, event: RunEvent): ActiveDelegation {
  const active = state.active.get(id);
  if (active === undefined) throw illegal(event, `the delegation ${id} is not active`);
  return active;
}

function waveOf(state: RunState, number: number, event: RunEvent): WaveState {
  const wave = state.waves[number - 1];
  if (wave === undefined) throw illegal(event, `there is no wave ${number}`);
  return wave;
}

function waveIn(state: RunState, number: number, status: WaveState['status'], event: RunEvent): WaveState {
  const wave = waveOf(state, number, event);
  if (wave.status !== status) throw illegal(event, `wave ${number} is ${wave.status}`);
  return wave;
}

function plan(state: RunState, event: EventOf<'wave.planned'>): void {
  const wave = waveOf(state, event.wave, event);
  wave.title = event.title;
  wave.inPlan = event.number;
  for (const planned of event.tasks) {
    if (state.tasks.has(planned.id)) throw illegal(event, `task ${planned.id} is planned already`);
    const progress: TaskProgress = planned.done ? { status: 'completed' } : pending;
    const task = { planned, wave: event.wave, attempts: 0, progress, open: 0, dependents: [], group: null };
    wave.tasks.push(task);
    state.tasks.set(planned.id, task);
  }
}

/** An interrupted run goes on; one that had ended tries again what did not complete. */
function start(state: RunState, event: EventOf<'run.started'>): void {
  if (state.status === 'completed') throw illegal(event, 'the run has completed');
  const again = state.status === 'failed' || state.status === 'cancelled';
  const reopened = new Set(['failed', 'partial', 'blocked', 'skipped']);
  for (const wave of state.waves) {
    if (wave.status === 'completed') continue;
    for (const task of wave.tasks) {
      if (again && reopened.has(task.progress.status)) task.progress = pending;
      // Whoever waited for it is found again when the wave starts.
      task.dependents = [];
    }
    const open = wave.tasks.some(({ progress }) => progress.status === 'pending' || progress.status === 'ended');
    if (open || wave.status === 'running') wave.status = 'pending';
  }
  for (const one of state.checkpoints) if (one.status === 'rejected') one.status = 'coming';
  state.waveIndex = nextWave(state, 0);
  state.status = 'running';
  state.reason = '';
  state.toSkip.clear();
  clearPlaces(state);
}

/** Who waited for what is found again when the run goes on. */
function rest(state: RunState, status: 'paused' | RunEnd, event: RunEvent): void {
  if (isOver(state.status)) throw illegal(event, `the run is ${state.status}`);
  state.status = status;
  state.toSkip.clear();
  clearPlaces(state);
  for (const task of state.tasks.values()) {
    task.open = 0;
    task.group = null;
    if (task.dependents.length > 0) task.dependents = [];
  }
}

function nextWave(state: RunState, from: number): number {
  let at = from;
  while (at < state.waves.length && state.waves[at]?.status !== 'pending') at += 1;
  return at;
}

/** What another wave has to say about a dependency; nothing when it is no obstacle. */
function obstacle(state: RunState, task: TaskState): string | undefined {
  for (const after of task.planned.after) {
    if ('wave' in after) {
      if (state.waves[after.wave - 1]?.status !== 'completed') return `wave ${after.wave}`;
      continue;
    }
    const other = state.tasks.get(after.task);
    if (other === undefined || other.wave === task.wave) continue;
    if (other.progress.status !== 'completed') return after.task;
  }
  return undefined;
}

function startWave(state: RunState, wave: WaveState): void {
  wave.status = 'running';
  state.unsettled = 0;
  for (const task of wave.tasks) {
    task.open = 0;
    task.dependents = [];
  }
  for (const task of wave.tasks) {
    if (task.progress.status === 'ended') state.unsettled += 1;
    if (task.progress.status !== 'pending') continue;
    state.unsettled += 1;
    for (const after of task.planned.after) {
      const other = 'task' in after ? state.tasks.get(after.task) : undefined;
      if (other === undefined || other.wave !== wave.number || other.progress.status === 'completed') continue;
      task.open += 1;
      other.dependents.push(task);
    }
  }
  for (const task of wave.tasks) {
    if (task.progress.status !== 'pending') continue;
    const because = obstacle(state, task) ?? endedWithout(task, state);
    if (because !== undefined) state.toSkip.set(task.planned.id, { task, because });
    else if (task.open === 0) enqueue(state, task);
  }
  givePlaces(state);
}

/** A dependency of the same wave that ended before the wave was started again, and did not complete. */
function endedWithout(task: TaskState, state: RunState): string | undefined {
  for (const after of task.planned.after) {
    const other = 'task' in after ? state.tasks.get(after.task) : undefined;
    if (other === undefined || other.wave !== task.wave) continue;
    if (['failed', 'partial', 'blocked', 'skipped'].includes(other.progress.status)) return other.planned.id;
  }
  return undefined;
}

function register(state: RunState, event: EventOf<'delegation.registered'>): void {
  const task = taskOf(state, event.task, event);
  if (!state.startable.delete(event.task)) throw illegal(event, `task ${event.task} has no place to start`);
  if (state.active.has(event.delegation)) throw illegal(event, `the delegation ${event.delegation} exists already`);
  state.startable = freshMap(state.startable);
  task.attempts = event.attempt;
  task.progress = { status: 'running', delegation: event.delegation };
  state.active.set(event.delegation, { registered: event, pid: null, repairs: 0 });
}

function endDelegation(state: RunState, event: EventOf<'delegation.ended'>): void {
  const task = taskOf(state, event.task, event);
  activeOf(state, event.delegation, event);
  state.active.delete(event.delegation);
  state.active = freshMap(state.active);
  leavePlace(state, task);
  if (event.end === 'lost' || event.end === 'cancelled') {
    task.progress = pending;
    if (state.status === 'running' && task.wave === state.waveIndex + 1) enqueue(state, task);
  } else {
    task.progress = { status: 'ended', end: event.end, outcome: event.outcome };
    state.ended.set(event.task, task);
  }
  givePlaces(state);
}

/** Nobody who depends on it in this wave can run; later waves find out when they start. */
function skipDependents(state: RunState, task: TaskState): void {
  for (const dependent of task.dependents) {
    if (dependent.progress.status !== 'pending') continue;
    state.toSkip.set(dependent.planned.id, { task: dependent, because: task.planned.id });
  }
}

function settle(state: RunState, event: EventOf<'task.settled'>): void {
  const task = taskOf(state, event.task, event);
  if (task.progress.status !== 'ended') throw illegal(event, `task ${event.task} is ${task.progress.status}`);
  task.progress = { status: event.status, outcome: task.progress.outcome };
  state.ended.delete(event.task);
  state.ended = freshMap(state.ended);
  state.unsettled -= 1;
  if (event.status !== 'completed') {
    skipDependents(state, task);
    return;
  }
  for (const dependent of task.dependents) {
    dependent.open -= 1;
    if (dependent.open > 0 || dependent.progress.status !== 'pending') continue;
    if (!state.toSkip.has(dependent.planned.id)) enqueue(state, dependent);
  }
  givePlaces(state);
}

function skip(state: RunState, event: EventOf<'task.skipped'>): void {
  const task = taskOf(state, event.task, event);
  if (task.progress.status !== 'pending') throw illegal(event, `task ${event.task} is ${task.progress.status}`);
  task.progress = { status: 'skipped', because: event.because };
  state.toSkip.delete(event.task);
  state.unsettled -= 1;
  skipDependents(state, task);
}

/** The first event creates the state; every other one changes it. */
export function apply(state: RunState | undefined, event: RunEvent): RunState {
  if (event.kind === 'run.created') {
    if (state !== undefined) throw illegal(event, 'the run exists already');
    return newState(event);
  }
  if (state === undefined) throw illegal(event, 'the run has not been created');
  change(state, event);
  return state;
}

function change(state: RunState, event: Exclude<RunEvent, { kind: 'run.created' }>): void {
  switch (event.kind) {
    case 'wave.planned':
      return plan(state, event);
    case 'run.started':
      return start(state, event);
    case 'wave.started':
      return startWave(state, waveIn(state, event.wave, 'pending', event));
    case 'delegation.registered':
      return register(state, event);
    case 'delegation.started':
      activeOf(state, event.delegation, event).pid = event.pid ?? null;
      return undefined;
    case 'return.refused': {
      const active = activeOf(state, event.delegation, event);
      active.repairs = event.repair;
      taskOf(state, active.registered.task, event).progress = { status: 'repairing', delegation: event.delegation };
      return undefined;
    }
    case 'delegation.ended':
      return endDelegation(state, event);
    case 'task.settled':
      return settle(state, event);
    case 'task.skipped':
      return skip(state, event);
    case 'wave.ended':
      waveIn(state, event.wave, 'running', event).status = event.status;
      state.waveIndex = nextWave(state, event.wave);
      return undefined;
    case 'checkpoint.opened':
      return checkpoint(state, event, 'coming', 'open');
    case 'checkpoint.answered':
      return checkpoint(state, event, 'open', event.approved ? 'approved' : 'rejected');
    case 'plan.written':
    case 'plan.changed':
      state.planFile = event.file;
      state.planHashes = [event.hash, ...state.planHashes.slice(0, 1)];
      return undefined;
    case 'run.paused':
      rest(state, 'paused', event);
      state.reason = event.reason;
      return undefined;
    case 'run.ended':
      return rest(state, event.status, event);
    default:
      return event satisfies never;
  }
}

function checkpoint(
  state: RunState,
  event: EventOf<'checkpoint.opened' | 'checkpoint.answered'>,
  before: CheckpointState['status'],
  after: CheckpointState['status'],
): void {
  const found = state.checkpoints.find(({ id }) => id === event.checkpoint);
  if (found === undefined || found.status !== before) {
    throw illegal(event, `${event.checkpoint} is ${found?.status ?? 'not in the plan'}`);
  }
  found.status = after;
}
