/**
 * Decides the next actions of a run from its state alone: no clock, no randomness. Called again after each round of events
 * until it returns nothing; then only a running agent, a person or time can change the state.
 *
 * The rules are tried in order and the first that returns something wins:
 * trouble before progress (a tripped breaker, then trouble nobody is asked about, then ended attempts, then work that no longer holds, then tasks to skip), because everything later depends on it;
 * a person's answer before new work (accepted edits, then a rejection that stops the run); then the wave: its stage, its start,
 * its open gates, deferred findings, feature steps, its end. Delegating comes last.
 */
import { rulesOf } from '../event/run-kind.ts';
import { requestCheckpoint, type Decision, record } from './decision.ts';
import { beginInvocation, endCommand } from './decide-command.ts';
import { endOfFeatures, featureDecisions } from './decide-features.ts';
import { askAboutBase } from './decide-base.ts';
import { acceptedEdits, isEditAsked } from './decide-edits.ts';
import { assignFindings, nextGateMove } from './decide-gate.ts';
import { settlement } from './decide-task.ts';
import { finalGate, taskGate, taskOfGate, waveGate, auditGate } from '../state/gate.ts';
import { whyOf } from '../state/checkpoint-why.ts';
import { diskText } from '../state/disk.ts';
import { holdOf, isRefusedReview, isAboutTrouble, stopsRun } from '../state/hold.ts';
import { isReview } from '../event/role.ts';
import { exhaustedBudget } from '../state/spent.ts';
import { reopenStale } from './decide-updates.ts';
import { canarySteps, checkOf, nextToMerge, settlingSteps, updateStep } from './steps.ts';
import {
  type CheckpointOf,
  type CheckpointState,
  currentWave,
  isOpen,
  openOf,
  type RunState,
  type WaveState,
} from '../state/state.ts';
import { isSettled, type TaskState } from '../state/task-state.ts';

const nothing: readonly Decision[] = [];

/** Work whose agent has returned is verified and merged, whatever holds up the run. */
export function decide(state: RunState): readonly Decision[] {
  if (state.status !== 'running') return nothing;
  const step = updateStep(state);
  const first = step === undefined ? nothing : [{ kind: 'step', step } as const];
  return [...first, ...(state.index.settling.size === 0 ? nothing : settling(state)), ...next(state)];
}

function settling(state: RunState): readonly Decision[] {
  const { planned, attempt } = nextToMerge(state) ?? {};
  if (planned !== undefined && attempt)
    return [record({ kind: 'merge.started', task: planned.id, delegation: attempt.delegation })];
  return settlingSteps(state).map((step): Decision => ({ kind: 'step', step }));
}

/**
 * Undefined: the rule does not apply, and the next one is tried. An empty list: nothing to do until something
 * happens.
 */
type Rule = (state: RunState) => readonly Decision[] | undefined;

const some = (decisions: readonly Decision[]): readonly Decision[] | undefined =>
  decisions.length === 0 ? undefined : decisions;

const inWave =
  (rule: (state: RunState, wave: WaveState) => readonly Decision[] | undefined): Rule =>
  (state) =>
    rule(state, currentWave(state));

const rules: readonly (readonly [name: string, rule: Rule])[] = [
  ['open the checkpoint of a tripped breaker', openBreaker],
  ['reject trouble where nobody is asked', rejectTrouble],
  ['ask about a red base', askAboutBase],
  ['settle ended attempts', (state) => some(state.index.ended.size === 0 ? nothing : settlements(state))],
  ['reopen work that an update broke', reopenStale],
  ['skip tasks that cannot run', (state) => some(skips(state))],
  ['apply accepted edits', (state) => some(acceptedEdits(state))],
  ['stop after a rejection', stopRun],
  ['begin the invocation stage', (state) => some(beginInvocation(state))],
  ['start the next wave', inWave((state, wave) => (isOpen(wave) ? undefined : nextWave(state, wave)))],
  ['advance the gate of a task', inWave(advanceTaskGate)],
  ['assign deferred findings', inWave((state, wave) => some(assignFindings(state, wave)))],
  ['add feature steps', inWave((state, wave) => some(featureDecisions(state, wave)))],
  ['end the wave', inWave((state, wave) => (state.index.unsettled === 0 ? endOfWave(state, wave) : undefined))],
  ['delegate', (state) => some(state.index.startable.size === 0 ? nothing : delegations(state))],
];

function next(state: RunState): readonly Decision[] {
  for (const [, rule] of rules) {
    const decisions = rule(state);
    if (decisions !== undefined) return decisions;
  }
  return nothing;
}

function openBreaker(state: RunState): readonly Decision[] | undefined {
  const [signature] = state.index.tripped;
  return signature === undefined ? undefined : [breaker(state, signature)];
}

function rejectTrouble({ onTrouble, checkpoints }: RunState): readonly Decision[] | undefined {
  const trouble = onTrouble === 'reject' && checkpoints.find((one) => one.status === 'open' && isAboutTrouble(one));
  if (trouble === false || trouble === undefined) return undefined;
  return [record({ kind: 'checkpoint.answered', checkpoint: trouble.id, approved: false, by: 'on-trouble' })];
}

function skips({ index: { toSkip } }: RunState): readonly Decision[] {
  if (toSkip.size === 0) return nothing;
  return [...toSkip].map(([task, { because }]) => record({ kind: 'task.skipped', task, because }));
}

/** Running work ends first. */
function stopRun(state: RunState): readonly Decision[] | undefined {
  if (!isStopped(state)) return undefined;
  return state.active.size + state.index.settling.size > 0
    ? nothing
    : [record({ kind: 'run.ended', status: 'cancelled' })];
}

function settlements(state: RunState): readonly Decision[] {
  // A checkpoint is opened alone: each takes the next number.
  const decisions: Decision[] = [];
  for (const task of state.index.ended.values()) {
    const decision = settlement(state, task);
    if (decision?.kind === 'open-checkpoint') return decisions.length > 0 ? decisions : [decision];
    if (decision !== undefined) decisions.push(decision);
  }
  return decisions;
}

/** A checkpoint that stops the run was rejected. */
function isStopped({ checkpoints }: RunState): boolean {
  return checkpoints.some((one) => (one.status === 'rejected' && stopsRun(one)) || isRefusedReview(one));
}

function breaker(state: RunState, signature: string): Decision {
  const why = `the same failure in ${state.failures.get(signature)?.length ?? 0} tasks of this wave: ${signature}`;
  return requestCheckpoint(state, { type: 'breaker', why, signature });
}

function nextWave(state: RunState, wave: WaveState): readonly Decision[] {
  if (wave === state.final && (isEditAsked(state) || state.updates.length > 0)) return nothing;
  if (wave === state.final && wave.status !== 'pending') return [endOf(state)];
  if (wave !== state.audit) {
    const held = betweenWaves(state);
    if (held !== undefined) return held;
  }
  if (wave === state.final && !isReviewed(state, wave) && !hasFixes(state)) return [endOf(state)];
  return [record({ kind: 'wave.started', wave: wave.number })];
}

/** Deferred findings to fix before the run ends, or fixes that an interruption left open. */
function hasFixes({ index, final }: RunState): boolean {
  return index.deferred.size > 0 || final.added.some(({ progress }) => !isSettled(progress.status));
}

/** A planned checkpoint that is due here: the decision that opens it, or an empty list while it is open. */
function betweenWaves(state: RunState): readonly Decision[] | undefined {
  for (const checkpoint of state.checkpoints) {
    if (checkpoint.kind !== 'planned' || checkpoint.afterWave > state.waveIndex) continue;
    if (checkpoint.status === 'coming') return [planned(state, checkpoint)];
    if (checkpoint.status === 'open')
      return state.created.settings.mode === 'auto' ? [autoApprove(checkpoint)] : nothing;
  }
  return undefined;
}

function planned(state: RunState, one: CheckpointOf<'planned'>): Decision {
  const { id: checkpoint, afterWave } = one;
  const event = { kind: 'checkpoint.opened', type: 'planned', checkpoint, afterWave, why: whyOf(state, one) } as const;
  return { kind: 'open-checkpoint', event };
}

function autoApprove({ id }: CheckpointState): Decision {
  return record({ kind: 'checkpoint.answered', checkpoint: id, approved: true, by: 'mode' });
}

/** True if the wave has work to review. */
function isReviewed({ created, waves, final, audit }: RunState, wave: WaveState): boolean {
  if (!created.settings.gated || !rulesOf(created).gatesWaves) return false;
  if (wave === audit) return true;
  const worked = ({ attempts, progress }: TaskState): boolean => attempts > 0 && progress.status === 'completed';
  if (wave !== final) return wave.tasks.some(worked);
  if (created.settings.reviews === 'off' || isReviewedAsWave(waves, final)) return false;
  return waves.some(({ tasks }) => tasks.some(worked));
}

/** The review of the only wave is the final review, unless fixes came after it. */
function isReviewedAsWave(waves: readonly WaveState[], final: WaveState): boolean {
  return waves.length === 1 && final.added.every(({ role }) => role !== 'fix');
}

function endOfWave(state: RunState, wave: WaveState): readonly Decision[] {
  if (isEditAsked(state)) return nothing;
  const more = endCommand(state);
  if (more.length > 0) return more;
  if (isReviewed(state, wave)) {
    const [key, kind] = gateAt(state, wave);
    const gate = nextGateMove(state, wave, key, kind);
    if (gate.kind !== 'pass') return gate.kind === 'do' ? [gate.decision] : nothing;
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

/** A task that has passed its gate is completed. */
function advanceTaskGate(state: RunState, wave: WaveState): readonly Decision[] | undefined {
  const [key] = state.index.dueGates;
  if (key === undefined) return undefined;
  const task = taskOfGate(key);
  const gate = nextGateMove(state, wave, taskGate(task), 'task');
  if (gate.kind === 'wait') return nothing;
  return [gate.kind === 'do' ? gate.decision : record({ kind: 'task.settled', task, status: 'completed' })];
}

/** The subject has changed before the review began, or the branch has moved since its commands passed. */
function isStale(state: RunState, { role, gate, wave }: TaskState): boolean {
  if (!isReview(role) || gate === null) return false;
  const subject = role === 'wave-review' ? state.waves[wave - 1] : undefined;
  const isMoved = subject !== undefined && checkOf(state, subject, gate) !== undefined;
  return isMoved || state.gates.get(gate)?.status === 'due';
}

function delegations(state: RunState): readonly Decision[] {
  const stale = [...state.index.startable.values()].filter((task) => isStale(state, task));
  if (stale.length > 0) {
    const because = 'superseded by newer work';
    return stale.map(({ planned: { id } }) => record({ kind: 'task.skipped', task: id, because }));
  }
  const { low } = state.disk;
  if (low?.isOverdue === true && openOf(state, 'disk').length === 0)
    return [requestCheckpoint(state, { type: 'disk', why: diskText(low) })];
  if (holdOf(state) !== undefined) return nothing;
  const { budgets } = state.created.settings;
  const budget = exhaustedBudget(budgets, state.spent, state.granted);
  if (budget !== undefined) {
    const why = `the budget of ${budgets[budget] ?? 0} ${budget} is used up`;
    return [requestCheckpoint(state, { type: 'budget', why, budget })];
  }
  const most = (budgets.delegations ?? Infinity) * (1 + state.granted.delegations) - state.spent.delegations;
  const free = [...state.index.startable.values()];
  // Work goes first: a review running beside it would miss it.
  const work = free.filter(({ role }) => !isReview(role));
  const tasks = (work.length > 0 ? work : free).slice(0, most);
  const canaries = canarySteps(state, tasks).map((step): Decision => ({ kind: 'step', step }));
  return [...tasks.map((task): Decision => ({ kind: 'delegate', task })), ...canaries];
}

function endOf({ waves }: RunState): Decision {
  const completed = waves.every(({ status }) => status === 'completed');
  return record({ kind: 'run.ended', status: completed ? 'completed' : 'failed' });
}
