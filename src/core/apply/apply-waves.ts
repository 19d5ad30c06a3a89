/** Applies the events of waves and of the whole run: planned, started, ended, reopened. */
import { defined } from '../../base/defined.ts';
import { restartCommand } from './apply-command.ts';
import { askAgain } from './ask-again.ts';
import type { EventOf, RunEnd, RunEvent } from '../event/event.ts';
import { auditGate, finalGate, newGate, taskGate, waveGate } from '../state/gate.ts';
import { forgetQuestions } from './forget-questions.ts';
import { illegal, waveOf } from './illegal.ts';
import { clearSlots, enqueue, giveSlots } from '../state/slots.ts';
import { currentWave, isOpen, isOver, type RunState, type WaveState } from '../state/state.ts';
import { isSettling, newTask, pending, type TaskState } from '../state/task-state.ts';

export function planWave(state: RunState, event: EventOf<'wave.planned'>): void {
  const wave = waveOf(state, event.wave, event);
  const { title, number: inPlan, reviewTier, reviewer } = event;
  Object.assign(wave, { title, inPlan, reviewTier, ...defined({ reviewer }) });
  for (const planned of event.tasks) {
    if (state.tasks.has(planned.id)) throw illegal(event, `task ${planned.id} is planned already`);
    const task = newTask(planned, event.wave);
    wave.tasks.push(task);
    state.tasks.set(planned.id, task);
  }
}

const reopened = new Set(['failed', 'partial', 'blocked', 'skipped']);

/** Resumes an interrupted run; a run that was over also retries what did not complete. */
export function startRun(state: RunState, event: EventOf<'run.started'>): void {
  if (state.status === 'completed') throw illegal(event, 'the run has completed');
  const again = isOver(state.status) && event.skipFailed !== true;
  if (isOver(state.status)) {
    // The run as a whole needs a new review, and a person wants earlier failures retried.
    state.final.status = 'pending';
    restartCommand(state);
    forgetFailures(state);
  }
  restartWaves(state, again);
  // An audit in progress continues.
  if (event.audit === true && state.audit.status === 'completed') reopenGate(state, auditGate);
  if (event.audit === true) state.audit.status = 'pending';
  askAgain(state, again);
  const { deadlines = {}, onTrouble = null } = event;
  Object.assign(state, { status: 'running', reason: '', needsAnswer: false, deadlines, onTrouble });
}

/** The unfinished waves start over, the first one next; `again`: with the tasks that did not complete. */
function restartWaves(state: RunState, again: boolean): void {
  for (const wave of [...state.waves, state.final]) {
    if (wave.status === 'completed') continue;
    for (const task of wave.tasks) {
      if (again && reopened.has(task.progress.status)) startAfresh(task);
      // Dependents are recomputed when the wave starts.
      task.dependents = [];
    }
    const open = wave.tasks.some((task) => task.progress.status === 'pending' || isUnderWay(task));
    // A person may have marked the failed tasks as done.
    const isDone = wave.status === 'failed' && wave.tasks.every(({ progress }) => progress.status === 'completed');
    if (open || isOpen(wave) || isDone) wave.status = 'pending';
  }
  if (isOpen(state.audit)) state.audit.status = 'pending';
  state.waveIndex = nextWave(state, 0);
  state.index.toSkip.clear();
  clearSlots(state);
}

function leaveAsItIs(task: TaskState): void {
  if (task.progress.status !== 'ended') return;
  const { outcome } = task.progress;
  if (outcome.status !== 'completed') task.progress = { status: outcome.status, outcome };
}

/** Resets the task as if it had never been tried. */
function startAfresh(task: TaskState): void {
  task.progress = pending;
  task.tier = task.planned.tier;
  task.tries = 0;
  task.losses = 0;
  task.spent = null;
}

export function restRun(state: RunState, status: 'paused' | RunEnd, event: RunEvent): void {
  if (isOver(state.status)) throw illegal(event, `the run is ${state.status}`);
  state.status = status;
  state.index.toSkip.clear();
  clearSlots(state);
  for (const task of [...state.tasks.values(), ...state.gateTasks.values()]) settleDown(task);
  if (status === 'paused') return;
  // Closes open questions. Tasks they asked about count as failed and are retried on resume, unless a person skips
  // them; tasks added by gates start over.
  for (const one of state.checkpoints) {
    // An unanswered edit was not rejected: it is asked about again.
    if (one.status === 'open') one.status = one.kind === 'edit' ? 'replaced' : 'rejected';
  }
  for (const task of state.tasks.values()) if (isAskedAbout(task)) leaveAsItIs(task);
  for (const task of state.gateTasks.values()) if (isAskedAbout(task)) startAfresh(task);
  for (const gate of state.gates.values()) {
    if (gate.status !== 'asking') continue;
    gate.status = 'due';
    if (gate.kind === 'task') state.index.dueGates.add(gate.key);
  }
}

/** False once answered, even if the answer has had no effect yet. */
function isAskedAbout({ progress }: TaskState): boolean {
  if (progress.status !== 'ended' || progress.answer !== undefined) return false;
  return progress.asks !== undefined && 'checkpoint' in progress.asks;
}

function settleDown(task: TaskState): void {
  task.open = 0;
  task.group = null;
  if (task.dependents.length > 0) task.dependents = [];
}

function nextWave(state: RunState, from: number): number {
  let at = from;
  while (at < state.waves.length && state.waves[at]?.status !== 'pending') at += 1;
  return at;
}

/** An unmet dependency in another wave, if any. */
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

export function startWave(state: RunState, wave: WaveState): void {
  const gate = state.gates.get(gateOf(state, wave))?.status;
  wave.status = gate === 'reviewing' || gate === 'fixing' ? gate : 'running';
  arrange(state, wave);
}

function forgetFailures({ failures, index }: RunState): void {
  failures.clear();
  index.tripped.clear();
}

/** Computes dependents and queues the ready tasks of an open wave. */
function arrange(state: RunState, wave: WaveState): void {
  state.index.unsettled = 0;
  for (const task of wave.tasks) {
    task.open = 0;
    task.dependents = [];
  }
  for (const task of wave.tasks) {
    if (isUnderWay(task)) state.index.unsettled += 1;
    if (task.progress.status !== 'pending') continue;
    state.index.unsettled += 1;
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
    if (because !== undefined) state.index.toSkip.set(task.planned.id, { task, because });
    else if (task.open === 0) enqueue(state, task);
  }
  for (const task of wave.added) {
    if (isUnderWay(task)) state.index.unsettled += 1;
    if (task.progress.status !== 'pending') continue;
    state.index.unsettled += 1;
    enqueue(state, task);
  }
  giveSlots(state);
}

/** Recomputes dependents and queues after a change. */
export function arrangeAgain(state: RunState): void {
  const wave = currentWave(state);
  if (state.status !== 'running' || !isOpen(wave)) return;
  state.index.toSkip.clear();
  clearSlots(state);
  arrange(state, wave);
}

function isUnderWay({ progress: { status } }: TaskState): boolean {
  return status === 'running' || status === 'repairing' || status === 'ended' || isSettling(status);
}

/** A dependency in the same wave that ended without completing before the wave was restarted. */
function endedWithout(task: TaskState, state: RunState): string | undefined {
  for (const after of task.planned.after) {
    const other = 'task' in after ? state.tasks.get(after.task) : undefined;
    if (other === undefined || other.wave !== task.wave) continue;
    if (reopened.has(other.progress.status)) return other.planned.id;
  }
  return undefined;
}

export function endWave(state: RunState, event: EventOf<'wave.ended'>): void {
  const wave = waveOf(state, event.wave, event);
  if (!isOpen(wave)) throw illegal(event, `wave ${event.wave} is ${wave.status}`);
  wave.status = event.status;
  const gate = state.gates.get(gateOf(state, wave));
  if (gate !== undefined && gate.status !== 'due') gate.status = 'passed';
  forgetFailures(state);
  state.waveIndex = nextWave(state, 0);
}

function gateOf({ audit, final }: RunState, wave: WaveState): string {
  if (wave === audit) return auditGate;
  return wave === final ? finalGate : waveGate(wave.number);
}

/** Voids the gate's verdict and open question: the work has changed since. */
export function reopenGate(state: RunState, key: string): void {
  const gate = state.gates.get(key);
  if (gate === undefined) {
    if (key === auditGate) state.gates.set(key, newGate(key, 'audit'));
    return;
  }
  for (const one of state.checkpoints)
    if (one.kind === 'review' && one.status === 'open' && one.gate === key) one.status = 'replaced';
  gate.status = 'due';
  gate.round = 0;
  gate.notes = [];
  state.index.dueGates.delete(key);
}

/** Drops the unfinished tasks that these gates added, in any wave. */
function dropAdded(state: RunState, keys: ReadonlySet<string | null>): void {
  for (const task of state.gateTasks.values()) {
    if (!keys.has(task.gate)) continue;
    const { status } = task.progress;
    if (status !== 'pending' && status !== 'ended' && !isSettling(status)) continue;
    giveUp(state, task.planned.id);
    task.progress = { status: 'skipped', because: 'the work is being redone' };
    state.index.ended.delete(task.planned.id);
  }
}

/** A merge in progress may still reach the branch; the work is redone regardless. */
function giveUp(state: RunState, id: string): void {
  if (!state.index.settling.delete(id)) return;
  if (state.merge?.task === id) state.merge = null;
  clearSlots(state);
}

/** Reopens finished work with its waves, and voids its reviews and questions. */
export function reopenWork(state: RunState, event: EventOf<'work.reopened'>): void {
  if (state.status === 'running' && state.active.size > 0) throw illegal(event, 'the run is active');
  restartCommand(state);
  const all = new Set(event.tasks);
  state.stale = state.stale.filter(({ task }) => !all.has(task));
  forgetQuestions(state, all);
  const keys = new Set([finalGate]);
  for (const id of event.tasks) {
    const task = state.tasks.get(id);
    if (task === undefined) throw illegal(event, `there is no task ${id}`);
    giveUp(state, id);
    startAfresh(task);
    state.index.ended.delete(id);
    const wave = waveOf(state, task.wave, event);
    wave.status = 'pending';
    keys.add(gateOf(state, wave)).add(taskGate(id));
  }
  state.final.status = 'pending';
  for (const key of keys) reopenGate(state, key);
  dropAdded(state, keys);
  if (state.status === 'running') restartWaves(state, false);
  if (!isOver(state.status)) return;
  forgetFailures(state);
  // A failed or cancelled run keeps its status; its restart retries what did not complete.
  if (state.status !== 'completed') return;
  state.status = 'paused';
  state.reason = event.why;
}
