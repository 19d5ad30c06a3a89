/**
 * Step: checks a command at the base of the run; verifies, merges or checks work after its agent has returned; or finishes a command. Its key names the
 * delegation and the purpose; a step that was done but not recorded is detected by inspection, not repeated.
 */
import { rulesOf } from '../event/run-kind.ts';
import { commandKey } from '../../base/command-key.ts';
import type { DelegationId } from '../../base/ids.ts';
import type { Tier } from '../../plan/plan.ts';
import { acceptCommandsOf, type AcceptCommand, unconfirmedCommands } from './accept-commands.ts';
import type { EventOf } from '../event/event.ts';
import type { Outcome } from '../event/outcome.ts';
import type { PlannedTask } from '../event/planned-task.ts';
import { isReview, type Role } from '../event/role.ts';
import { baseKey, canaryPlace, unaskedRed, updatesOf } from '../state/base-checks.ts';
import type { RunState, WaveState } from '../state/state.ts';
import type { TaskState } from '../state/task-state.ts';
import type { RoomFacts } from '../event/verification.ts';
import type { PostflightFact } from '../event/workflow-step.ts';

interface OfTask {
  readonly key: string;
  readonly task: PlannedTask;
  readonly role: Role;
  readonly wave: number;
  readonly attempt: number;
  readonly tier: Tier;
  readonly delegation: DelegationId;
  readonly outcome: Outcome;
}

export interface VerifyStep extends OfTask {
  readonly purpose: 'verify';
  readonly room: RoomFacts;
  readonly commands: readonly AcceptCommand[];
  /** Commands of the task that do not run because no person has confirmed the plan. */
  readonly unconfirmed: number;
}

export interface MergeStep extends OfTask {
  readonly purpose: 'merge';
  /** Commit of the run's branch the work started from. */
  readonly base: string;
  readonly commit: string;
  /** Last commit of the run's branch in the ledger at the time of the decision; null before the first. */
  readonly head: string | null;
  /** Time of the decision in milliseconds. */
  readonly at: number;
}

export interface CheckStep {
  readonly key: string;
  readonly purpose: 'check';
  readonly gate: string;
  readonly wave: number;
  readonly commit: string;
  readonly commands: readonly AcceptCommand[];
}

/** Takes over a newer base and newer settings. */
export interface UpdateStep {
  readonly key: string;
  readonly purpose: 'update';
  readonly requested: EventOf<'update.requested'>;
}

/** One step of a command's postflight. */
export interface PostflightStep {
  readonly key: string;
  readonly purpose: 'postflight';
  readonly fact: PostflightFact;
}

/** Runs a command at the base of the run, beside the agents: its answer is needed when their work is verified. */
export interface CanaryStep {
  readonly key: string;
  readonly purpose: 'canary';
  readonly base: string;
  /** The number of updates before it. */
  readonly updates: number;
  readonly command: AcceptCommand;
}

export type Step = CanaryStep | VerifyStep | MergeStep | CheckStep | UpdateStep | PostflightStep;

/** An update waits for the merge in progress, and the next merge waits for the update. */
export function updateStep({ updates: [requested], merge }: RunState): UpdateStep | undefined {
  if (requested === undefined || merge !== null) return undefined;
  return { purpose: 'update', key: requested.update, requested };
}

/** One for each command of these tasks that was not checked yet at the current base, or at that of their rooms. */
export function canarySteps(
  state: RunState,
  tasks: readonly TaskState[],
  updates: number = updatesOf(state),
): CanaryStep[] {
  const { base } = state.workspaces[updates] ?? {};
  if (canaryPlace(state) === undefined || base === undefined) return [];
  const worked = tasks.filter((task) => !isReview(task.role) && isProved(state, task));
  return acceptCommandsOf(state, worked, updates).flatMap((command): CanaryStep[] => {
    const key = `canary:${baseKey(updates, command.argv)}`;
    return command.base === undefined ? [{ purpose: 'canary', key, base, updates, command }] : [];
  });
}

/** Steps of the settling tasks. Work is verified when its commands were checked at its base and no question about that is open. */
export function settlingSteps(state: RunState): Step[] {
  const steps: Step[] = [];
  const canaries = new Map<string, CanaryStep>();
  const isAsked = unaskedRed(state).length > 0;
  for (const task of state.index.settling.values()) {
    const { progress } = task;
    const { room = null, verification = null } = task.attempt ?? {};
    if (progress.status === 'verifying' && room !== null) {
      const unchecked = canarySteps(state, [task], room.updates ?? 0);
      for (const step of unchecked) canaries.set(step.key, step);
      const commands = isProved(state, task) ? acceptCommandsOf(state, [task], room.updates ?? 0) : [];
      if (unchecked.length > 0 || (isAsked && commands.length > 0)) continue;
      steps.push({
        ...ofTask(task, progress),
        purpose: 'verify',
        key: `${progress.delegation}:verify`,
        room,
        commands,
        unconfirmed: unconfirmedCommands(state, [task]),
      });
    }
    if (progress.status !== 'merging' || state.merge?.delegation !== progress.delegation) continue;
    const { base, commit } = verification ?? {};
    if (base === undefined || commit === undefined) throw new Error(`${progress.delegation} has nothing to merge`);
    const { at, head } = state.merge;
    const key = `${progress.delegation}:merge`;
    steps.push({ ...ofTask(task, progress), purpose: 'merge', key, base, commit, head, at });
  }
  return [...canaries.values(), ...steps];
}

/** A task that may only write below `.divisi/` changes nothing that a command could prove. */
function isProved({ created }: RunState, { planned: { scope } }: TaskState): boolean {
  return rulesOf(created).provesNotes || scope.length === 0 || !scope.every((path) => path.startsWith('.divisi/'));
}

function ofTask(
  { planned, role, wave, attempts, tier }: TaskState,
  { delegation, outcome }: { delegation: DelegationId; outcome: Outcome },
): Omit<OfTask, 'key'> {
  return { task: planned, role, wave, attempt: attempts, tier, delegation, outcome };
}

/** The first by wave and id, whatever order they were verified in. */
export function nextToMerge({ index, merge, updates }: RunState): TaskState | undefined {
  if (merge !== null || updates.length > 0) return undefined;
  const waiting = [...index.settling.values()].filter(({ progress }) => progress.status === 'merging');
  return waiting.toSorted((one, other) => one.wave - other.wave || byId(one, other))[0];
}

function byId({ planned: { id } }: TaskState, { planned: { id: other } }: TaskState): number {
  return id.localeCompare(other, 'en', { numeric: true });
}

/**
 * The commands to run on the merged work of a wave before its review; undefined if there are none, or they have
 * passed.
 */
export function checkOf(state: RunState, wave: WaveState, gate: string): CheckStep | CanaryStep | undefined {
  const { head } = state;
  if (head === null) return undefined;
  const { checked = null, checks = 0 } = state.gates.get(gate) ?? {};
  const worked = wave.tasks.filter(({ attempts, progress }) => attempts > 0 && progress.status === 'completed');
  const commands = acceptCommandsOf(state, worked);
  const held = new Set(checked?.commit === head ? checked.commands : []);
  if (commands.every(({ argv }) => held.has(commandKey(argv)))) return undefined;
  const [first] = canarySteps(state, worked);
  if (first !== undefined) return first;
  return {
    purpose: 'check',
    key: `${gate}:check:${checks + 1}:${head}`,
    gate,
    wave: wave.number,
    commit: head,
    commands,
  };
}
