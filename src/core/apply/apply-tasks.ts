/** Applies the events of tasks and delegations, from a free slot to the end of an attempt. */
import { defined } from '../../base/defined.ts';
import {
  breakerLimit,
  countsForBreaker,
  type FailureClass,
  quotaGuess,
  remedyFor,
  signatureOf,
} from '../../gates/failure-policy.ts';
import { judgeWork, settleForGate } from './apply-gates.ts';
import { reopenGate } from './apply-waves.ts';
import type { DelegationId } from '../../base/ids.ts';
import type { EventOf } from '../event/event.ts';
import { freshMap } from '../state/fresh-map.ts';
import { finalGate, type Gate, taskGate, waveGate } from '../state/gate.ts';
import { activeOf, attemptOf, illegal, taskOf } from './illegal.ts';
import { acceptedOutcome, notesOf } from '../event/make-outcome.ts';
import type { FailedOutcome, Outcome } from '../event/outcome.ts';
import { enqueue, enter, giveSlots, leaveSlot } from '../state/slots.ts';
import { isReview } from '../event/role.ts';
import { namedTasks } from '../state/named-tasks.ts';
import { newSpent, spendUsage } from '../state/spent.ts';
import { currentWave, openOf, type RunState } from '../state/state.ts';
import { newAttempt, pending, type TaskProgress, type TaskState } from '../state/task-state.ts';

/** The next attempt gets accounts of the last failures, not the whole history. */
const mostAccounts = 3;

export function register(state: RunState, event: EventOf<'delegation.registered'>): void {
  const task = taskOf(state, event.task, event);
  if (!state.index.startable.delete(event.task)) throw illegal(event, `task ${event.task} has no slot`);
  if (state.active.has(event.delegation)) throw illegal(event, `the delegation ${event.delegation} exists already`);
  state.index.startable = freshMap(state.index.startable);
  beginAttempt(task, event.delegation);
  task.attempts = event.attempt;
  task.key = event.key ?? null;
  task.progress = { status: 'running', delegation: event.delegation };
  state.active.set(event.delegation, { registered: event, deadline: event.deadline, pid: null, repairs: 0 });
  state.spent.delegations += 1;
  if (state.created.settings.gated) reopenGates(state, task);
}

/** Facts about the previous attempt do not apply to the new one. Without a room it has left nothing. */
function beginAttempt(task: TaskState, delegation: DelegationId): void {
  const { room = null, conversation = null } = task.attempt ?? {};
  if (room !== null) task.before = { room, continuesWork: continuesWork(task), conversation };
  task.attempt = newAttempt(delegation);
}

/** Work that failed in one of these ways is not worth continuing. */
const startsAfresh = new Set<FailureClass>(['agent-error', 'conflict']);

function continuesWork({ attempts, failures, role }: TaskState): boolean {
  const last = failures.at(-1);
  return !isReview(role) && !(last?.attempt === attempts && startsAfresh.has(last.class));
}

/** Reviews do not cover the work that starts now. A fix does not reopen its own gate. */
function reopenGates(state: RunState, task: TaskState): void {
  if (isReview(task.role)) return;
  for (const key of [waveGate(task.wave), finalGate, taskGate(task.planned.id)]) {
    if (key !== task.gate) reopenGate(state, key);
  }
}

export function endDelegation(state: RunState, event: EventOf<'delegation.ended'>): void {
  const task = taskOf(state, event.task, event);
  const { registered } = activeOf(state, event.delegation, event);
  const attempt = attemptOf(task, event);
  attempt.endedAt = event.at;
  state.active.delete(event.delegation);
  state.active = freshMap(state.active);
  account(state, task, event, Math.max(0, event.at - registered.at));
  const { outcome } = event;
  tellNamed(state, event);
  if (outcome.status === 'completed' && isVerified(state, task)) {
    if (attempt.room === null) throw illegal(event, `the room of ${event.delegation} is unknown`);
    task.progress = { status: 'verifying', delegation: event.delegation, outcome };
    state.index.settling.set(event.task, task);
    return;
  }
  leaveSlot(state, task);
  if (opensAgain(state, task, event)) {
    task.progress = pending;
    enter(state, task);
  } else {
    task.progress = { status: 'ended', end: event.end, outcome };
    state.index.ended.set(event.task, task);
    judgeWork(state, task, outcome);
  }
  giveSlots(state);
}

/** Bounds what a task keeps about others. */
const mostNaming = 20;

/** Remembers who names a task: its prompt gets the note. */
function tellNamed({ tasks }: RunState, { task: from, outcome }: EventOf<'delegation.ended'>): void {
  const named = notesOf(outcome).flatMap((note) => [...namedTasks(note, (id) => tasks.has(id))]);
  for (const id of new Set(named)) {
    const task = tasks.get(id);
    if (id === from || task === undefined || task.namedBy.includes(from) || task.namedBy.length >= mostNaming) continue;
    task.namedBy = [...task.namedBy, from];
  }
}

/** Completed work is verified where it may have changed files. A review is never merged. */
function isVerified({ created }: RunState, { role }: TaskState): boolean {
  return created.workspace !== undefined && !isReview(role);
}

/** An interruption is not the task's fault, unless it keeps happening. */
function opensAgain({ created }: RunState, task: TaskState, { end }: EventOf<'delegation.ended'>): boolean {
  if (end === 'cancelled') return true;
  return end === 'lost' && !(created.settings.gated && remedyFor('lost', task.losses, true) === 'ask');
}

function account(state: RunState, task: TaskState, event: EventOf<'delegation.ended'>, milliseconds: number): void {
  const { outcome, end } = event;
  if (!state.created.settings.gated) {
    if (end !== 'cancelled' && outcome.status !== 'completed') remember(task, outcome);
    return;
  }
  task.spent ??= newSpent();
  task.spent.delegations += 1;
  task.spent.milliseconds += milliseconds;
  spendUsage(task.spent, outcome.usage);
  spendUsage(state.spent, outcome.usage);
  if (end === 'cancelled') return;
  task.losses = end === 'lost' ? task.losses + 1 : 0;
  if (outcome.status === 'completed') {
    state.quotaGuesses = 0;
    return;
  }
  const { failure } = outcome;
  if (failure.class === 'quota') {
    holdForQuota(state, event.at, failure.until);
    return;
  }
  if (end !== 'lost') task.tries += 1;
  countFailure(state, task, outcome);
}

/** Nothing starts during a wait, so another quota failure then is the same limit and does not extend the estimate. */
function holdForQuota(state: RunState, at: number, reported: number | undefined): void {
  const before = state.quota;
  if (reported !== undefined) state.quotaGuesses = 0;
  else if (before === null) state.quotaGuesses += 1;
  const until = reported ?? at + quotaGuess(Math.max(1, state.quotaGuesses));
  state.quota = { until: Math.max(until, before?.until ?? 0), guessed: reported === undefined };
}

/** Records the failure for the next attempt. */
function remember(task: TaskState, { status, report, failure, left, structuredResult }: FailedOutcome): void {
  const account = { attempt: task.attempts, tier: task.tier, status, class: failure.class, message: failure.message };
  const { delegation, endedAt: at, verification } = task.attempt ?? {};
  const { nextSteps, errors } = structuredResult ?? {};
  const known = defined({ delegation, at, report, commit: verification?.commit, left, nextSteps, errors });
  task.failures = [...task.failures, { ...account, ...known }].slice(-mostAccounts);
}

/** Records the failure for the next attempt and for the circuit breaker. */
export function countFailure(state: RunState, task: TaskState, outcome: FailedOutcome): void {
  const { failure } = outcome;
  remember(task, outcome);
  if (!countsForBreaker(failure.class)) return;
  const signature = signatureOf(failure.class, failure.message);
  const tasks = new Set(state.failures.get(signature)).add(task.planned.id);
  state.failures.set(signature, [...tasks]);
  if (tasks.size >= breakerLimit && !isAsked(state, signature)) state.index.tripped.add(signature);
}

function isAsked(state: RunState, signature: string): boolean {
  return openOf(state, 'breaker').some((one) => one.signature === signature);
}

export function retry(state: RunState, event: EventOf<'task.retried'>): void {
  const task = taskOf(state, event.task, event);
  if (task.progress.status !== 'ended') throw illegal(event, `task ${event.task} is ${task.progress.status}`);
  state.index.ended.delete(event.task);
  state.index.ended = freshMap(state.index.ended);
  if (event.tier !== task.tier || event.why === 'approved') Object.assign(task, { tries: 0, losses: 0 });
  if (event.why === 'approved') task.spent = null;
  task.tier = event.tier;
  task.progress = pending;
  enter(state, task);
}

/** Skips dependents in this wave; later waves skip theirs when they start. */
function skipDependents(state: RunState, task: TaskState): void {
  for (const dependent of task.dependents) {
    if (dependent.progress.status !== 'pending') continue;
    state.index.toSkip.set(dependent.planned.id, { task: dependent, because: task.planned.id });
  }
}

export function settle(state: RunState, event: EventOf<'task.settled'>): void {
  const task = taskOf(state, event.task, event);
  if (task.progress.status !== 'ended') throw illegal(event, `task ${event.task} is ${task.progress.status}`);
  const { outcome } = task.progress;
  task.progress = settledAs(outcome, event);
  state.index.ended.delete(event.task);
  state.index.ended = freshMap(state.index.ended);
  countSettled(state, task);
  if (task.role !== 'work') settleForGate(state, task, outcome);
  if (event.status !== 'completed') {
    skipDependents(state, task);
    return;
  }
  const gate = taskGate(event.task);
  if (state.index.dueGates.delete(gate)) (state.gates.get(gate) as Gate).status = 'passed';
  for (const dependent of task.dependents) {
    dependent.open -= 1;
    if (dependent.open > 0 || dependent.progress.status !== 'pending') continue;
    if (!state.index.toSkip.has(dependent.planned.id)) enqueue(state, dependent);
  }
  giveSlots(state);
}

/** A task left over from another wave does not count in the open one. */
function countSettled(state: RunState, { wave }: TaskState): void {
  if (wave === currentWave(state).number) state.index.unsettled -= 1;
}

/** A task settles with its outcome, or as completed if a person accepts it. */
function settledAs(outcome: Outcome, event: EventOf<'task.settled'>): TaskProgress {
  if (outcome.status === 'completed') {
    if (event.status !== 'completed') throw illegal(event, `task ${event.task} has completed`);
    return { status: 'completed', outcome };
  }
  if (event.status === 'completed') return { status: 'completed', outcome: acceptedOutcome(outcome) };
  if (event.status !== outcome.status) throw illegal(event, `the outcome of ${event.task} is ${outcome.status}`);
  return { status: outcome.status, outcome };
}

/** Returns the gate to due: it asks for another review as soon as possible. */
function takeBack({ gates }: RunState, { gate: key }: TaskState): void {
  const gate = gates.get(key ?? '');
  if (gate?.status !== 'reviewing') return;
  gate.status = 'due';
  gate.round -= 1;
}

export function skip(state: RunState, event: EventOf<'task.skipped'>): void {
  const task = taskOf(state, event.task, event);
  if (task.progress.status !== 'pending') throw illegal(event, `task ${event.task} is ${task.progress.status}`);
  task.progress = { status: 'skipped', because: event.because };
  state.index.toSkip.delete(event.task);
  countSettled(state, task);
  skipDependents(state, task);
  if (isReview(task.role)) takeBack(state, task);
  if (!state.index.startable.delete(event.task)) return;
  leaveSlot(state, task);
  giveSlots(state);
}
