/** Opens, answers and withdraws checkpoints, and applies the answers. */
import { defined } from '../../base/defined.ts';
import { signatureOf } from '../../gates/failure-policy.ts';
import { arrangeAgain } from './apply-waves.ts';
import type { End, EventOf } from '../event/event.ts';
import { signatureOfTask } from '../state/failure-of.ts';
import { type Gate, taskOfGate } from '../state/gate.ts';
import type { BudgetKey } from '../event/planned-task.ts';
import { illegal } from './illegal.ts';
import { commandKey } from '../../base/command-key.ts';
import { outcomeFrom } from '../event/make-outcome.ts';
import type { Outcome } from '../event/outcome.ts';
import { grantsAfterApproval } from '../state/spent.ts';
import {
  tasksAskedAt,
  askedTask,
  type CheckpointOf,
  type CheckpointState,
  checkpointId,
  findTask,
  openCheckpoints,
  type RunState,
} from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

export function openCheckpoint(state: RunState, event: EventOf<'checkpoint.opened'>): void {
  const planned = state.checkpoints.find(({ id }) => id === event.checkpoint);
  if (planned !== undefined) {
    if (planned.status !== 'coming') throw illegal(event, `${event.checkpoint} is ${planned.status}`);
    planned.status = 'open';
    return;
  }
  if (event.checkpoint !== checkpointId(state.checkpoints.length + 1)) {
    throw illegal(event, `${event.checkpoint} is not the next one`);
  }
  const opened = checkpointOf(event);
  state.checkpoints.push(opened);
  const task = askedTask(opened);
  if (task !== undefined) ask(state, event, task);
  if (opened.kind === 'review') {
    const gate = gateOf(state, opened.gate, event);
    gate.status = 'asking';
    state.index.dueGates.delete(opened.gate);
    const subject = gate.kind === 'task' ? state.index.ended.get(taskOfGate(gate.key)) : undefined;
    if (subject?.progress.status === 'ended') {
      subject.progress = { ...subject.progress, asks: { gate: gate.key } };
      state.index.ended.delete(subject.planned.id);
    }
  }
  if (opened.kind === 'breaker') trip(state, opened.signature, opened.id);
  if (opened.kind === 'edit') arrangeAgain(state);
}

function checkpointOf(event: EventOf<'checkpoint.opened'>): CheckpointState {
  const shared = { id: event.checkpoint, why: event.why, status: 'open' } as const;
  switch (event.type) {
    case 'planned':
      return { ...shared, kind: event.type, afterWave: event.afterWave };
    case 'review':
      return { ...shared, kind: event.type, gate: event.gate };
    case 'failure':
      return { ...shared, kind: event.type, task: event.task };
    case 'breaker':
      return { ...shared, kind: event.type, signature: event.signature };
    case 'base':
      return { ...shared, kind: event.type, commands: event.commands };
    case 'budget':
      return { ...shared, kind: event.type, budget: event.budget, ...defined({ task: event.task }) };
    case 'disk':
      return { ...shared, kind: event.type };
    case 'edit':
      return { ...shared, kind: event.type, amendments: event.amendments };
    case 'feature':
      return { ...shared, kind: event.type, step: event.step };
    case 'cycle':
      return { ...shared, kind: event.type, need: event.need };
    default:
      return event satisfies never;
  }
}

function gateOf(state: RunState, key: string, event: EventOf<'checkpoint.opened' | 'checkpoint.answered'>): Gate {
  const gate = state.gates.get(key);
  if (gate === undefined) throw illegal(event, `there is no gate ${key}`);
  return gate;
}

function ask(state: RunState, event: EventOf<'checkpoint.opened'>, id: string): void {
  const task = findTask(state, id);
  if (task?.progress.status !== 'ended') throw illegal(event, `task ${id} has not ended`);
  task.progress = { ...task.progress, asks: { checkpoint: event.checkpoint } };
  state.index.ended.delete(id);
}

/** Replaces questions about single failures, and pending retries, with one question about all of them. */
function trip(state: RunState, signature: string, checkpoint: string): void {
  state.index.tripped.delete(signature);
  for (const id of state.failures.get(signature) ?? []) {
    const task = findTask(state, id);
    const ended = task === undefined || waitsForOthers(state, task) ? undefined : endOf(task, signature);
    if (task === undefined || ended === undefined) continue;
    for (const one of state.checkpoints) {
      if (one.status === 'open' && one.kind === 'failure' && one.task === id) one.status = 'replaced';
    }
    task.progress = { status: 'ended', ...ended, asks: { checkpoint } };
    state.index.ended.delete(id);
  }
  arrangeAgain(state);
}

/** True while a dependency is being redone: the task's turn comes after it, whatever its last result was. */
function waitsForOthers({ tasks, waves }: RunState, { planned }: TaskState): boolean {
  return planned.after.some((after) => {
    if ('wave' in after) return waves[after.wave - 1]?.status !== 'completed';
    return (tasks.get(after.task)?.progress.status ?? 'completed') !== 'completed';
  });
}

/** How the task's last attempt ended, if with this signature; undefined while another attempt is running. */
function endOf(task: TaskState, signature: string): { readonly end: End; readonly outcome: Outcome } | undefined {
  const { progress, failures, attempts } = task;
  if (progress.status === 'ended') {
    const { end, outcome } = progress;
    return signatureOfTask(task) === signature ? { end, outcome } : undefined;
  }
  const last = failures.at(-1);
  if (progress.status !== 'pending' || last?.attempt !== attempts) return undefined;
  const { status, class: kind, message, report } = last;
  if (signatureOf(kind, message) !== signature) return undefined;
  return {
    end: 'returned',
    outcome: outcomeFrom({ status, failure: { class: kind, message }, ...defined({ report }) }),
  };
}

export function withdrawCheckpoint(state: RunState, event: EventOf<'checkpoint.withdrawn'>): void {
  const found = state.checkpoints.find(({ id }) => id === event.checkpoint);
  if (found?.status !== 'open') throw illegal(event, `${event.checkpoint} is ${found?.status ?? 'not there'}`);
  found.status = 'replaced';
  if (found.kind === 'edit') arrangeAgain(state);
}

export function closeCheckpoint(state: RunState, event: EventOf<'checkpoint.answered'>): void {
  const found = state.checkpoints.find(({ id }) => id === event.checkpoint);
  if (found?.status !== 'open') throw illegal(event, `${event.checkpoint} is ${found?.status ?? 'unknown'}`);
  found.status = event.approved ? 'approved' : 'rejected';
  if (event.by === 'on-trouble') found.isUnattended = true;
  applyAnswer(state, found, event);
  if (state.status !== 'paused' || openCheckpoints(state).length > 0) return;
  state.reason = 'answered';
  state.needsAnswer = false;
}

function applyAnswer(state: RunState, found: CheckpointState, event: EventOf<'checkpoint.answered'>): void {
  const { approved, note } = event;
  switch (found.kind) {
    case 'planned':
      return noteForPending(state, note);
    case 'failure':
      return answerTask(state, found.task, approved, note);
    case 'base':
      // Also after a no: what agents have left is judged by it before the run stops.
      for (const argv of found.commands) state.knownRed.add(commandKey(argv));
      return noteForPending(state, note);
    case 'budget':
      if (found.task !== undefined) return answerTask(state, found.task, approved, note);
      noteForPending(state, note);
      if (approved) grant(state, found.budget);
      return undefined;
    case 'review': {
      const gate = gateOf(state, found.gate, event);
      answerGate(gate, approved, note);
      if (gate.kind === 'task') state.index.dueGates.add(found.gate);
      return undefined;
    }
    case 'breaker':
      return answerBreaker(state, found, approved, note);
    case 'disk':
      noteForPending(state, note);
      if (approved) state.disk = { low: null, isAccepted: true };
      return undefined;
    case 'edit':
      noteForPending(state, note);
      if (approved) state.accepted = [...state.accepted, ...found.amendments];
      return arrangeAgain(state);
    case 'feature':
    case 'cycle':
      if (note !== undefined) found.note = note;
      return undefined;
    default:
      return found satisfies never;
  }
}

function grant({ created, spent, granted }: RunState, budget: BudgetKey): void {
  granted[budget] = grantsAfterApproval(created.settings.budgets, spent, granted[budget], budget);
}

/** Forgets the failures with this signature and answers all of them together. */
function answerBreaker(
  state: RunState,
  { id: checkpoint, signature }: CheckpointOf<'breaker'>,
  approved: boolean,
  note: string | undefined,
): void {
  state.failures.delete(signature);
  for (const [id, task] of state.index.ended) {
    if (signatureOfTask(task) === signature) answerTask(state, id, approved, note);
  }
  for (const { planned } of tasksAskedAt(state, checkpoint)) answerTask(state, planned.id, approved, note);
}

/** Gives the person's note to every task that has not started. */
function noteForPending({ tasks }: RunState, note: string | undefined): void {
  if (note === undefined) return;
  for (const task of tasks.values()) if (task.progress.status === 'pending') task.notes = [...task.notes, note];
}

function answerTask(state: RunState, id: string, approved: boolean, note: string | undefined): void {
  const task = findTask(state, id);
  if (task?.progress.status !== 'ended') return;
  task.progress = { ...task.progress, answer: approved };
  if (note !== undefined) task.notes = [...task.notes, note];
  state.index.ended.set(id, task);
}

/** Approved: the gate passes. Rejected: rounds start over, with the person's note. */
function answerGate(gate: Gate, approved: boolean, note: string | undefined): void {
  if (note !== undefined) gate.notes = [...gate.notes, note];
  if (approved) {
    gate.status = 'passed';
    return;
  }
  gate.round = 0;
  if (gate.verdict?.priority === 'HALT') gate.verdict = { ...gate.verdict, priority: 'HIGH' };
  gate.status = gate.verdict === null || gate.kind === 'audit' ? 'due' : 'reviewed';
}
