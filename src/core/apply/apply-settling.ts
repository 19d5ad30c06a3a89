/** Applies the events of settling: returned work is verified and merged, one task at a time, or fails with the evidence. */
import { oneLine } from '../../base/text.ts';
import type { DelegationId } from '../../base/ids.ts';
import { commandLine } from '../../plan/values/command-words.ts';
import { judgeWork } from './apply-gates.ts';
import { countFailure } from './apply-tasks.ts';
import type { EventOf } from '../event/event.ts';
import { freshMap } from '../state/fresh-map.ts';
import { newGate } from '../state/gate.ts';
import { attemptOf, illegal, taskOf, waveOf } from './illegal.ts';
import { acceptedOutcome, asFailed } from '../event/make-outcome.ts';
import type { CompletedOutcome, Failure, Outcome } from '../event/outcome.ts';
import { isReview } from '../event/role.ts';
import { giveSlots, leaveSlot } from '../state/slots.ts';
import type { RunState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import type { Verification } from '../event/verification.ts';
import { commandKey } from '../../base/command-key.ts';
import { isFailure, rejectionText } from '../event/work-findings.ts';

type SettlingEvent = EventOf<'task.verified' | 'merge.started' | 'task.merged' | 'task.conflicted'>;

function settlingOf(
  state: RunState,
  event: SettlingEvent,
  status: 'verifying' | 'merging',
): [TaskState, CompletedOutcome] {
  const task = taskOf(state, event.task, event);
  const { progress } = task;
  if (progress.status !== status || progress.delegation !== event.delegation) {
    throw illegal(event, `task ${event.task} is ${progress.status}`);
  }
  return [task, progress.outcome];
}

/** Ends the attempt and frees its slot; its consequence is decided next. */
function end(state: RunState, task: TaskState, outcome: Outcome): void {
  state.index.settling.delete(task.planned.id);
  state.index.settling = freshMap(state.index.settling);
  leaveSlot(state, task);
  task.progress = { status: 'ended', end: 'returned', outcome };
  state.index.ended.set(task.planned.id, task);
  judgeWork(state, task, outcome);
  giveSlots(state);
}

function fail(state: RunState, task: TaskState, claimed: CompletedOutcome, failure: Failure): void {
  const outcome = asFailed(claimed, failure);
  task.tries += 1;
  countFailure(state, task, outcome);
  end(state, task, outcome);
}

/** Accepts work whose return was invalid: it is verified and merged like any other. */
export function acceptTask(state: RunState, event: EventOf<'task.accepted'>): void {
  const task = taskOf(state, event.task, event);
  const { progress, attempt } = task;
  if (progress.status !== 'ended' || attempt === null) throw illegal(event, `task ${event.task} is ${progress.status}`);
  const { delegation, room } = attempt;
  if (room === null || isReview(task.role)) throw illegal(event, `${event.task} left nothing to verify`);
  if (progress.outcome.status === 'completed') throw illegal(event, `task ${event.task} has completed`);
  const outcome = acceptedOutcome(progress.outcome);
  state.index.ended.delete(event.task);
  state.index.settling.set(event.task, task);
  // What the person has seen is merged: verified again, it could be something else.
  if (progress.outcome.failure.class === 'steering' && attempt.verification !== null) {
    settle(state, task, outcome, attempt.verification);
    return;
  }
  task.progress = { status: 'verifying', delegation, outcome };
}

/** Verified work is merged; work that is in no room of its own is done. */
function settle(state: RunState, task: TaskState, outcome: CompletedOutcome, { commit }: Verification): void {
  const { delegation } = task.attempt ?? {};
  if (commit === undefined || delegation === undefined) end(state, task, outcome);
  else task.progress = { status: 'merging', delegation, outcome };
}

export function verifyTask(state: RunState, event: EventOf<'task.verified'>): void {
  const [task, claimed] = settlingOf(state, event, 'verifying');
  const { verification } = event;
  attemptOf(task, event).verification = verification;
  const outcome = withFacts(claimed, verification);
  if (verification.environment !== undefined) {
    fail(state, task, outcome, { class: 'environment', message: verification.environment });
    return;
  }
  if (verification.verdict === 'rejected') {
    fail(state, task, outcome, { class: 'verification-failed', message: rejectionText(verification) });
    return;
  }
  const asked = verification.findings.filter(({ kind }) => kind === 'steering-in-scope');
  if (asked.length === 0) settle(state, task, outcome, verification);
  else
    fail(state, task, outcome, {
      class: 'steering',
      message: asked
        .map(({ fact }) => fact)
        .join(' · ')
        .slice(0, 600),
    });
}

/** Replaces claimed files with the real ones and flags degraded work. */
function withFacts(outcome: CompletedOutcome, { changes, findings }: Verification): CompletedOutcome {
  const hashes = changes.flatMap(({ path, blob }) => (blob === undefined ? [] : [[path, blob] as const]));
  const flags = findings.filter(({ rejects }) => !rejects).map(({ kind }) => kind);
  return {
    ...outcome,
    files: changes.map(({ path }) => path),
    fileHashes: Object.fromEntries(hashes),
    degraded: [...new Set([...outcome.degraded, ...flags])],
  };
}

export function startMerge(state: RunState, event: EventOf<'merge.started'>): void {
  settlingOf(state, event, 'merging');
  if (state.merge !== null) throw illegal(event, `the work of ${state.merge.task} is being merged`);
  const { task, delegation, at } = event;
  state.merge = { task, delegation, at, head: state.head };
}

function endMerge(state: RunState, event: EventOf<'task.merged' | 'task.conflicted'>): [TaskState, CompletedOutcome] {
  const found = settlingOf(state, event, 'merging');
  if (state.merge?.delegation !== (event.delegation satisfies DelegationId))
    throw illegal(event, 'the merge was not started');
  state.merge = null;
  return found;
}

export function mergeTask(state: RunState, event: EventOf<'task.merged'>): void {
  const [task, outcome] = endMerge(state, event);
  attemptOf(task, event).commit = event.commit;
  state.head = event.commit;
  state.foreign += event.foreign ?? 0;
  end(state, task, outcome);
}

export function conflictTask(state: RunState, event: EventOf<'task.conflicted'>): void {
  const [task, outcome] = endMerge(state, event);
  if (event.branch !== undefined) {
    fail(state, task, outcome, { class: 'environment', message: event.branch });
    return;
  }
  attemptOf(task, event).conflicts = event.conflicts;
  const files = event.conflicts.map(({ path, why }) => `${oneLine(path, 120)} (${oneLine(why, 80)})`);
  const sides = event.conflicts.map(
    ({ path, merged, own }) =>
      `${oneLine(path, 120)}: merged “${oneLine(merged, 300)}”, this task “${oneLine(own, 300)}”`,
  );
  const message = `cannot be merged onto the run's branch: ${files.join(', ')}; ${sides.join('; ')}`;
  fail(state, task, outcome, { class: 'conflict', message: message.slice(0, 2000) });
}

/** True if the gate is due for a check and the branch has not moved. */
export function awaitsCheck(
  { gates, head }: RunState,
  { gate, commit }: Pick<EventOf<'gate.checked'>, 'gate' | 'commit'>,
): boolean {
  const status = gates.get(gate)?.status ?? 'due';
  return head === commit && (status === 'due' || status === 'fixed');
}

/** Failed commands on the merged work are a verdict: broken work needs no review. */
export function checkGate(state: RunState, event: EventOf<'gate.checked'>): void {
  const wave = waveOf(state, event.wave, event);
  const gate = state.gates.get(event.gate) ?? newGate(event.gate, 'wave');
  if (!awaitsCheck(state, event))
    throw illegal(event, `${event.gate} is ${gate.status}, the branch at ${state.head ?? 'its start'}`);
  state.gates.set(event.gate, gate);
  gate.checks += 1;
  const failed = event.commands.filter(isFailure);
  if (failed.length === 0) {
    gate.checked = { commit: event.commit, commands: event.commands.map(({ argv }) => commandKey(argv)) };
    return;
  }
  gate.checked = null;
  gate.round += 1;
  gate.status = 'reviewed';
  const list = failed.map(({ argv, end: how }) => `\`${oneLine(commandLine(argv), 120)}\` (${oneLine(how, 80)})`);
  gate.verdict = { priority: 'HIGH', action: `on the merged work ${list.join(', ')} failed` };
  gate.report = failed[0]?.output ?? null;
  wave.status = 'reviewing';
}
