/**
 * What to do next: plain data in, plain data out, no clock, no chance. Called again after each round of events, until it
 * has nothing more to say; then only what is running, a person or time can change anything.
 */
import { rulesOf } from '../event/run-kind.ts';
import { defined } from '../../base/defined.ts';
import { openCheckpoint, type Decision, record } from './decision.ts';
import { beginInvocation, endCommand } from './decide-command.ts';
import { endOfFeatures, featureCommands } from './decide-features.ts';
import { acceptedEdits, isEditAsked } from './decide-edits.ts';
import { givenFindings, passing } from './decide-gate.ts';
import { settlement } from './decide-task.ts';
import { finalGate, taskGate, taskOfGate, waveGate, auditGate } from '../state/gate.ts';
import { holdOf, stopsRun } from '../state/hold.ts';
import { isReview } from '../event/role.ts';
import { usedUp } from '../state/spent.ts';
import { checkOf, nextToMerge, settlingSteps } from './steps.ts';
import { type CheckpointState, currentWave, isOpen, type RunState, type WaveState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';

const nothing: readonly Decision[] = [];

/** Work whose agent has ended goes on its way, whatever else holds the run up. */
export function decide(state: RunState): readonly Decision[] {
  if (state.status !== 'running') return nothing;
  return state.settling.size === 0 ? next(state) : [...settling(state), ...next(state)];
}

function settling(state: RunState): readonly Decision[] {
  const { planned, delegation } = nextToMerge(state) ?? {};
  if (planned !== undefined && delegation) return [record({ kind: 'merge.started', task: planned.id, delegation })];
  return settlingSteps(state).map((step): Decision => ({ kind: 'step', step }));
}

/** What has ended is dealt with first: what follows depends on it. */
function next(state: RunState): readonly Decision[] {
  for (const signature of state.tripped) return [breaker(state, signature)];
  const settled = state.ended.size === 0 ? nothing : settlements(state);
  if (settled.length > 0) return settled;
  if (state.toSkip.size > 0) {
    return [...state.toSkip].map(([task, { because }]) => record({ kind: 'task.skipped', task, because }));
  }
  const edits = acceptedEdits(state);
  if (edits.length > 0) return edits;
  if (isStopped(state))
    return state.active.size + state.settling.size > 0 ? nothing : [record({ kind: 'run.ended', status: 'cancelled' })];
  const wave = currentWave(state);
  const begun = beginInvocation(state);
  if (begun.length > 0) return begun;
  if (!isOpen(wave)) return nextWave(state, wave);
  for (const key of state.dueGates) return taskGateStep(state, wave, key);
  const given = state.deferred.size === 0 ? nothing : givenFindings(state, wave);
  if (given.length > 0) return given;
  const grown = featureCommands(state, wave);
  if (grown.length > 0) return grown;
  if (state.unsettled === 0) return endOfWave(state, wave);
  return state.startable.size === 0 ? nothing : delegations(state);
}

function settlements(state: RunState): readonly Decision[] {
  // One at a time where a checkpoint is opened: each takes the next number.
  const commands: Decision[] = [];
  for (const task of state.ended.values()) {
    const command = settlement(state, task);
    if (command?.kind === 'open-checkpoint') return commands.length > 0 ? commands : [command];
    if (command !== undefined) commands.push(command);
  }
  return commands;
}

/** A person has said no to going on. */
function isStopped({ checkpoints }: RunState): boolean {
  return checkpoints.some((one) => one.status === 'rejected' && stopsRun(one));
}

function breaker(state: RunState, signature: string): Decision {
  const why = `the same failure in ${state.failures.get(signature)?.length ?? 0} tasks of this wave: ${signature}`;
  return openCheckpoint(state, { type: 'breaker', why, signature });
}

function nextWave(state: RunState, wave: WaveState): readonly Decision[] {
  if (wave === state.final && isEditAsked(state)) return nothing;
  if (wave === state.final && wave.status !== 'pending') return [endOf(state)];
  if (wave !== state.audit) {
    const held = betweenWaves(state);
    if (held !== undefined) return held;
  }
  if (wave === state.final && !isReviewed(state, wave) && state.deferred.size === 0) return [endOf(state)];
  return [record({ kind: 'wave.started', wave: wave.number })];
}

/** A checkpoint of the plan that holds the run up here: the command that opens it, or nothing while it is open. */
function betweenWaves(state: RunState): readonly Decision[] | undefined {
  for (const checkpoint of state.checkpoints) {
    if (checkpoint.kind !== 'planned' || (checkpoint.afterWave ?? 0) > state.waveIndex) continue;
    if (checkpoint.status === 'coming') return [planned(checkpoint)];
    if (checkpoint.status === 'open') return state.created.settings.mode === 'auto' ? [waved(checkpoint)] : nothing;
  }
  return undefined;
}

function planned({ id, afterWave, why }: CheckpointState): Decision {
  const question = { type: 'planned', why, ...defined({ afterWave }) } as const;
  return { kind: 'open-checkpoint', event: { kind: 'checkpoint.opened', checkpoint: id, ...question } };
}

function waved({ id }: CheckpointState): Decision {
  return record({ kind: 'checkpoint.answered', checkpoint: id, approved: true, by: 'mode' });
}

/** Whether there is anything of this run to look at. */
function isReviewed({ created, waves, final, audit }: RunState, wave: WaveState): boolean {
  if (!created.settings.gated || !rulesOf(created).gatesWaves) return false;
  if (wave === audit) return true;
  const worked = ({ attempts, progress }: TaskState): boolean => attempts > 0 && progress.status === 'completed';
  return wave === final ? waves.some(({ tasks }) => tasks.some(worked)) : wave.tasks.some(worked);
}

function endOfWave(state: RunState, wave: WaveState): readonly Decision[] {
  if (isEditAsked(state)) return nothing;
  const more = endCommand(state);
  if (more.length > 0) return more;
  if (isReviewed(state, wave)) {
    const [key, kind] = gateAt(state, wave);
    const held = passing(state, wave, key, kind);
    if (held !== undefined) return held;
  }
  const status = endOfFeatures(state, wave) ?? endOfTasks(wave);
  return status === 'open' ? nothing : [record({ kind: 'wave.ended', wave: wave.number, status })];
}

function endOfTasks({ tasks }: WaveState): 'completed' | 'failed' {
  return tasks.every(({ progress }) => progress.status === 'completed') ? 'completed' : 'failed';
}

function gateAt({ audit, final }: RunState, wave: WaveState): [string, 'audit' | 'final' | 'wave'] {
  if (wave === audit) return [auditGate, 'audit'];
  return wave === final ? [finalGate, 'final'] : [waveGate(wave.number), 'wave'];
}

/** A single task that has passed its gate is done. */
function taskGateStep(state: RunState, wave: WaveState, key: string): readonly Decision[] {
  const task = taskOfGate(key);
  return passing(state, wave, taskGate(task), 'task') ?? [record({ kind: 'task.settled', task, status: 'completed' })];
}

/** What it was to look at has changed before it began, or the branch has moved from where its commands have held. */
function isStale(state: RunState, { role, gate, wave }: TaskState): boolean {
  if (!isReview(role) || gate === null) return false;
  const subject = role === 'wave-review' ? state.waves[wave - 1] : undefined;
  const isMoved = subject !== undefined && checkOf(state, subject, gate) !== undefined;
  return isMoved || state.gates.get(gate)?.status === 'due';
}

function delegations(state: RunState): readonly Decision[] {
  const stale = [...state.startable.values()].filter((task) => isStale(state, task));
  if (stale.length > 0) {
    const because = 'there is something else to look at';
    return stale.map(({ planned: { id } }) => record({ kind: 'task.skipped', task: id, because }));
  }
  if (holdOf(state) !== undefined) return nothing;
  const { budgets } = state.created.settings;
  const budget = usedUp(budgets, state.spent, state.granted);
  if (budget !== undefined) {
    const why = `the budget of ${budgets[budget] ?? 0} ${budget} is used up`;
    return [openCheckpoint(state, { type: 'budget', why, budget })];
  }
  const most = (budgets.delegations ?? Infinity) * (1 + state.granted.delegations) - state.spent.delegations;
  const free = [...state.startable.values()];
  // What is done now is what a review beside it would miss.
  const work = free.filter(({ role }) => !isReview(role));
  return (work.length > 0 ? work : free).slice(0, most).map((task): Decision => ({ kind: 'delegate', task }));
}

function endOf({ waves }: RunState): Decision {
  const completed = waves.every(({ status }) => status === 'completed');
  return record({ kind: 'run.ended', status: completed ? 'completed' : 'failed' });
}
