/**
 * Applies an event to the state, which the caller owns and which is changed in place. The same events give the same
 * state on any machine. Refuses an event that cannot follow from the state.
 */
import { measureDisk, reachTime } from '../state/disk.ts';
import { amend } from './apply-amendments.ts';
import { closeCheckpoint, openCheckpoint, withdrawCheckpoint } from './apply-checkpoints.ts';
import { forgetHolds, holdConductor, leaveConductor, returnConductor, takeConductor } from './apply-conductor.ts';
import { addTask, defer } from './apply-gates.ts';
import { acceptTask, checkGate, conflictTask, mergeTask, startMerge, verifyTask } from './apply-settling.ts';
import { endDelegation, register, retry, settle, skip } from './apply-tasks.ts';
import { addStep } from './apply-steps.ts';
import { refuseUpdate, requestUpdate, updateWorkspace } from './apply-updates.ts';
import { endWave, planWave, reopenWork, restRun, startRun, startWave } from './apply-waves.ts';
import type { RunEvent } from '../event/event.ts';
import { activeOf, attemptOf, illegal, taskOf, waveOf } from './illegal.ts';
import { baseKey } from '../state/base-checks.ts';
import { workspaceOf } from '../state/current-workspace.ts';
import { newState, type RunState } from '../state/state.ts';

/** The first event creates the state; every other one changes it. */
export function apply(state: RunState | undefined, event: RunEvent): RunState {
  if (event.kind === 'run.created') {
    if (state !== undefined) throw illegal(event, 'the run exists already');
    return newState(event);
  }
  if (state === undefined) throw illegal(event, 'the run has not been created');
  passTime(state, event);
  change(state, event);
  return state;
}

/** Time counts while an agent is running; the gap between a crash and the next start does not, nor does waiting. */
function passTime(state: RunState, event: RunEvent): void {
  if (state.active.size > 0 && !comesAfterCrash(event)) {
    state.spent.milliseconds += Math.max(0, event.at - state.lastAt);
  }
  state.lastAt = event.at;
}

/** Events with which the next process closes the delegations of a crashed one. */
function comesAfterCrash(event: RunEvent): boolean {
  if (event.kind !== 'delegation.ended') return false;
  return event.end === 'lost' || event.outcome.degraded.includes('recovered');
}

function change(state: RunState, event: Exclude<RunEvent, { kind: 'run.created' }>): void {
  switch (event.kind) {
    case 'wave.planned':
      return planWave(state, event);
    case 'run.started':
      return startRun(state, event);
    case 'stage.reached': {
      const { stage, note, at } = event;
      state.command.reached = [...state.command.reached, { stage, at, note }];
      return undefined;
    }
    case 'postflight.done':
      state.command.facts = { ...state.command.facts, [event.fact]: { done: event.done, note: event.note } };
      return undefined;
    case 'step.added':
      return addStep(state, event);
    case 'run.conducted':
      return takeConductor(state, event);
    case 'conductor.held':
      return holdConductor(state, event);
    case 'conductor.left':
      return leaveConductor(state, event);
    case 'update.requested':
      return requestUpdate(state, event);
    case 'workspace.updated':
      return updateWorkspace(state, event);
    case 'update.refused':
      return refuseUpdate(state, event);
    case 'work.drifted':
      state.head = event.head ?? state.head;
      state.foreign += event.foreign ?? 0;
      if (workspaceOf(state)?.kind === 'checkout') state.drifted = event.files;
      return undefined;
    case 'work.unattributed': {
      const { files, tasks } = event;
      const known = new Set(state.unattributed.map(({ path }) => path));
      const added = files.filter((path) => !known.has(path)).map((path) => ({ path, tasks }));
      state.unattributed = [...state.unattributed, ...added];
      return undefined;
    }
    case 'plan.confirmed':
      state.confirmed = true;
      return undefined;
    case 'work.reopened':
      return reopenWork(state, event);
    case 'wave.started': {
      const wave = waveOf(state, event.wave, event);
      if (wave.status !== 'pending') throw illegal(event, `wave ${event.wave} is ${wave.status}`);
      return startWave(state, wave);
    }
    case 'delegation.registered':
      register(state, event);
      return returnConductor(state);
    case 'workspace.opened': {
      const active = activeOf(state, event.delegation, event);
      active.deadline = event.deadline;
      const task = taskOf(state, active.registered.task, event);
      attemptOf(task, event).room = event.room;
      task.before = null;
      return undefined;
    }
    case 'delegation.started':
      activeOf(state, event.delegation, event).pid = event.pid ?? null;
      return undefined;
    case 'conversation.opened': {
      const { registered } = activeOf(state, event.delegation, event);
      attemptOf(taskOf(state, registered.task, event), event).conversation = { driver: event.driver, id: event.id };
      return undefined;
    }
    case 'permission.answered':
      activeOf(state, event.delegation, event);
      return undefined;
    case 'return.refused': {
      const active = activeOf(state, event.delegation, event);
      active.repairs = event.repair;
      taskOf(state, active.registered.task, event).progress = { status: 'repairing', delegation: event.delegation };
      return undefined;
    }
    case 'delegation.ended':
      if (event.end === 'returned') forgetHolds(state);
      return endDelegation(state, event);
    case 'task.accepted':
      return acceptTask(state, event);
    case 'task.verified':
      return verifyTask(state, event);
    case 'merge.started':
      return startMerge(state, event);
    case 'task.merged':
      return mergeTask(state, event);
    case 'task.conflicted':
      return conflictTask(state, event);
    case 'task.settled':
      return settle(state, event);
    case 'task.retried':
      return retry(state, event);
    case 'task.skipped':
      return skip(state, event);
    case 'task.added':
      return addTask(state, event);
    case 'finding.deferred':
      return defer(state, event);
    case 'base.checked':
      state.baseChecks.set(baseKey(event.updates, event.check.argv), event.check);
      return undefined;
    case 'gate.checked':
      return checkGate(state, event);
    case 'wave.ended':
      return endWave(state, event);
    case 'checkpoint.opened':
      return openCheckpoint(state, event);
    case 'checkpoint.answered':
      forgetHolds(state);
      return closeCheckpoint(state, event);
    case 'checkpoint.withdrawn':
      return withdrawCheckpoint(state, event);
    case 'clock.reached':
      if (state.quota !== null && event.time >= state.quota.until) state.quota = null;
      reachTime(state.disk, event.time);
      return undefined;
    case 'disk.measured':
      return measureDisk(state.disk, event);
    case 'plan.amended':
      return amend(state, event);
    case 'plan.written':
    case 'plan.changed':
      state.planFile = event.file;
      state.planHashes = [event.hash, ...state.planHashes.slice(0, 1)];
      return undefined;
    case 'run.paused':
      restRun(state, 'paused', event);
      state.reason = event.reason;
      state.needsAnswer = event.for === 'answer';
      return undefined;
    case 'run.ended':
      state.reason = event.reason ?? state.reason;
      return restRun(state, event.status, event);
    default:
      return event satisfies never;
  }
}
