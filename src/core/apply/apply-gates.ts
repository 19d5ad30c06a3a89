/** Applies the events of gates: the reviews and fixes they ask for, their results, and deferred findings. */
import type { EventOf } from '../event/event.ts';
import { newGate, taskGate, taskOfGate } from '../state/gate.ts';
import { illegal, waveOf } from './illegal.ts';
import { verdictIn } from '../event/judgement.ts';
import type { Outcome } from '../event/outcome.ts';
import { rulesOf } from '../event/run-kind.ts';
import { enter } from '../state/slots.ts';
import { isReview } from '../event/role.ts';
import { findTask, type RunState } from '../state/state.ts';
import { newTask, type TaskState } from '../state/task-state.ts';

const kinds = { 'wave-review': 'wave', 'task-review': 'task', 'final-review': 'final', audit: 'audit' } as const;

export function addTask(state: RunState, event: EventOf<'task.added'>): void {
  const { role, gate: key, task: planned } = event;
  if (findTask(state, planned.id) !== undefined) throw illegal(event, `task ${planned.id} already exists`);
  const wave = waveOf(state, event.wave, event);
  const task = newTask(planned, event.wave, role, event.finding === undefined ? key : null);
  state.gateTasks.set(planned.id, task);
  wave.added.push(task);
  state.index.unsettled += 1;
  if (event.finding === undefined) stepGate(state, event, key);
  else giveFinding(state, event, event.finding);
  enter(state, task);
}

function stepGate(state: RunState, event: EventOf<'task.added'>, key: string): void {
  const { role } = event;
  let gate = state.gates.get(key);
  if (gate === undefined) {
    if (role === 'fix') throw illegal(event, `nothing was reviewed at ${key}`);
    gate = newGate(key, kinds[role]);
    state.gates.set(key, gate);
  }
  if (role === 'fix') {
    gate.fixes += 1;
    gate.status = 'fixing';
  } else {
    gate.reviews += 1;
    gate.round += 1;
    gate.status = 'reviewing';
  }
  state.index.dueGates.delete(key);
  if (gate.kind === 'task') {
    const subject = state.tasks.get(taskOfGate(key));
    if (subject?.progress.status !== 'ended') throw illegal(event, `there is nothing to review at ${key}`);
    subject.progress = { ...subject.progress, asks: { gate: key } };
    state.index.ended.delete(subject.planned.id);
    return;
  }
  waveOf(state, event.wave, event).status = role === 'fix' ? 'fixing' : 'reviewing';
}

function giveFinding(state: RunState, event: EventOf<'task.added'>, id: string): void {
  const finding = state.findings.get(id);
  if (finding === undefined || !state.index.deferred.delete(id)) throw illegal(event, `${id} is not deferred`);
  finding.fix = event.task.id;
}

/** Applies the result of a gate's review or fix. */
export function settleForGate(state: RunState, task: TaskState, outcome: Outcome): void {
  const gate = task.gate === null ? undefined : state.gates.get(task.gate);
  if (gate === undefined) return settleFinding(state, task);
  // The subject may have changed meanwhile.
  if (gate.status === 'due') return undefined;
  if (isReview(task.role)) {
    gate.status = 'reviewed';
    const verdict = outcome.status === 'completed' ? verdictIn(outcome) : null;
    gate.verdict = verdict === 'review' ? null : verdict;
    gate.report = outcome.report ?? null;
  } else if (gate.kind === 'audit' && task.progress.status !== 'completed') {
    // An audit is not repeated, so a person has to check.
    gate.status = 'reviewed';
    gate.verdict = { priority: 'HIGH', action: `${gate.verdict?.action ?? ''} (${task.planned.id} did not fix it)` };
  } else gate.status = 'fixed';
  if (gate.kind === 'task') state.index.dueGates.add(gate.key);
  return undefined;
}

/** Work may judge itself by its contract: that is the first verdict of its gate. Features have a table of their own. */
export function judgeWork(state: RunState, { planned, role, attempts }: TaskState, outcome: Outcome): void {
  const { created, gates } = state;
  if (!created.settings.gated || rulesOf(created).grows || role !== 'work' || outcome.status !== 'completed') return;
  const key = taskGate(planned.id);
  const own = verdictIn(outcome);
  const gate = gates.get(key) ?? newGate(key, 'task');
  if (own === null || (own !== 'review' && own.priority === 'LOW')) {
    // The gate of an earlier attempt.
    if (planned.review === undefined && gates.has(key)) gate.status = 'passed';
    return;
  }
  gates.set(key, gate);
  // The review that the plan asks for also decides about what can wait.
  if (own === 'review' || (own.priority === 'MED' && planned.review !== undefined)) return;
  gate.status = 'reviewed';
  gate.round += 1;
  gate.verdict = { ...own, attempt: attempts };
  gate.report = outcome.report ?? null;
}

function settleFinding(state: RunState, task: TaskState): void {
  for (const finding of state.findings.values()) {
    if (finding.fix === task.planned.id) finding.isFixed = task.progress.status === 'completed';
  }
}

export function defer(state: RunState, event: EventOf<'finding.deferred'>): void {
  const { finding: id, wave, action, report } = event;
  if (state.findings.has(id)) throw illegal(event, `${id} is deferred already`);
  const found = { id, wave, action, fix: null, isFixed: false };
  state.findings.set(id, report === undefined ? found : { ...found, report });
  state.index.deferred.add(id);
}
