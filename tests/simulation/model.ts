/** A plain model of a run's tasks and waves, built from its events: the invariants read it instead of the core. */
import type { EventOf, RunEvent } from '../../src/core/event/event.ts';
import type { PlannedTask } from '../../src/core/event/planned-task.ts';
import type { Role } from '../../src/core/event/role.ts';
import type { Verification, WorkspaceFacts } from '../../src/core/event/verification.ts';
import { amend } from './model-amendments.ts';
import { react, type Reactions } from './rule.ts';
import type { Dependency, Tier } from '../../src/plan/plan.ts';

export function scopesOverlap(one: readonly string[], other: readonly string[]): boolean {
  const above = (a: string, b: string): boolean => a === '.' || a === b || b.startsWith(`${a}/`);
  return one.some((a) => other.some((b) => above(a, b) || above(b, a)));
}

export interface ModelTask {
  planned: PlannedTask;
  wave: number;
  readonly role: Role;
  readonly gate: string | null;
  status: string;
  attempts: number;
  /** Undefined where a start from the beginning may have changed it. */
  tier: Tier | undefined;
  /** Of the last attempt. */
  end: EventOf<'delegation.ended'> | undefined;
  /** What a person has said to it since. */
  isApproved: boolean;
  isLeft: boolean;
  /** The run had ended before anyone decided about it: a resume that skips failed work may skip it too. */
  mayBeLeft: boolean;
  /** What was learned about the last attempt, and its commit on the branch once it is there. */
  verification: Verification | undefined;
  commit: string | undefined;
  /** Why the last attempt was refused although its agent says that it is done. */
  refusal: 'verification-failed' | 'conflict' | 'environment' | undefined;
}

/** An attempt whose agent has ended, and whose work has not come to its end. */
export interface Settling {
  readonly delegation: string;
  stage: 'verifying' | 'merging';
  /** Taken by a person when it had ended long ago: it has no place any more. */
  readonly isAccepted: boolean;
}

export interface Model {
  readonly workspace: WorkspaceFacts | undefined;
  /** Whether a person has seen the plan. */
  isConfirmed: boolean;
  /** Of the run's branch, as far as the run knows. */
  head: string | null;
  /** By task. */
  readonly settling: Map<string, Settling>;
  /** Updates that were asked for and are not done. */
  readonly updates: string[];
  /** Work that an update broke and that is not open again. */
  readonly stale: Set<string>;
  /** The delegation whose work is being merged. */
  merging: string | undefined;
  settings: EventOf<'run.created'>['settings'];
  final: number;
  readonly tasks: Map<string, ModelTask>;
  /** Tasks by delegation. */
  readonly active: Map<string, string>;
  /** How the waves that are over have ended. */
  readonly over: Map<number, 'completed' | 'failed'>;
  readonly checkpoints: Map<string, EventOf<'checkpoint.opened'>>;
  /** Those that no one has answered. */
  readonly asked: Set<string>;
  /** Of the last start. */
  onTrouble: EventOf<'run.started'>['onTrouble'];
  /** How the run has ended, while it has. */
  ended: string | undefined;
}

export function newModel(created: EventOf<'run.created'>): Model {
  return {
    workspace: created.workspace,
    isConfirmed: false,
    head: null,
    settling: new Map(),
    updates: [],
    stale: new Set(),
    merging: undefined,
    settings: created.settings,
    final: created.waves + 1,
    onTrouble: undefined,
    tasks: new Map(),
    active: new Map(),
    over: new Map(),
    checkpoints: new Map(),
    asked: new Set(),
    ended: undefined,
  };
}

export function newTask(
  planned: PlannedTask,
  wave: number,
  role: Role = 'work',
  gate: string | null = null,
): ModelTask {
  const status = planned.done ? 'completed' : 'open';
  const nothing = {
    end: undefined,
    isApproved: false,
    isLeft: false,
    mayBeLeft: false,
    verification: undefined,
    commit: undefined,
    refusal: undefined,
  };
  return { planned, wave, role, gate, status, attempts: 0, tier: planned.tier, ...nothing };
}

export function taskOf({ tasks }: Model, id: string): ModelTask {
  const task = tasks.get(id);
  if (task === undefined) throw new Error(`nobody has heard of ${id}`);
  return task;
}

/** Of the plan, without what gates asked for. */
export function plansOwn({ tasks }: Model): ModelTask[] {
  return [...tasks.values()].filter(({ role }) => role === 'work');
}

export function isDone({ tasks, over }: Model, after: Dependency): boolean {
  if ('wave' in after) return over.get(after.wave) === 'completed';
  return (tasks.get(after.task)?.status ?? 'completed') === 'completed';
}

/** Whose work is looked into: what changes something and says that it is done. */
function isToVerify({ workspace }: Model, { role, end }: ModelTask): boolean {
  return workspace !== undefined && (role === 'work' || role === 'fix') && end?.outcome.status === 'completed';
}

function settle({ settling }: Model, { task, delegation }: EventOf<'delegation.ended'>, isAccepted: boolean): void {
  settling.set(task, { delegation, stage: 'verifying', isAccepted });
}

const settlingReactions: Reactions<[Model]> = {
  'plan.confirmed'(_event, model) {
    model.isConfirmed = true;
  },
  'update.requested': (event, model) => void model.updates.push(event.update),
  'workspace.updated'(event, model) {
    model.updates.shift();
    model.head = event.head ?? model.head;
    for (const { task } of event.stale) model.stale.add(task);
  },
  'update.refused': (_event, model) => void model.updates.shift(),
  'work.drifted'(event, model) {
    model.head = event.head ?? model.head;
  },
  'task.accepted'(event, model) {
    const { end } = taskOf(model, event.task);
    if (end !== undefined) settle(model, end, true);
  },
  'task.verified'(event, model) {
    const task = taskOf(model, event.task);
    task.verification = event.verification;
    const { verdict, commit } = event.verification;
    if (verdict === 'rejected') task.refusal = 'verification-failed';
    const settling = model.settling.get(event.task);
    if (verdict === 'rejected' || commit === undefined) model.settling.delete(event.task);
    else if (settling !== undefined) settling.stage = 'merging';
  },
  'merge.started'(event, model) {
    model.merging = event.delegation;
  },
  'task.merged'(event, model) {
    taskOf(model, event.task).commit = event.commit;
    model.head = event.commit;
    model.merging = undefined;
    model.settling.delete(event.task);
  },
  'task.conflicted'(event, model) {
    taskOf(model, event.task).refusal = event.branch === undefined ? 'conflict' : 'environment';
    model.merging = undefined;
    model.settling.delete(event.task);
  },
};

const reactions: Reactions<[Model]> = {
  'wave.planned'(event, model) {
    for (const planned of event.tasks) model.tasks.set(planned.id, newTask(planned, event.wave));
  },
  'run.started'(event, model) {
    model.onTrouble = event.onTrouble;
    if (model.ended !== undefined && event.skipFailed !== true) {
      for (const task of plansOwn(model)) if (task.status !== 'completed') afresh(task);
    }
    model.ended = undefined;
    if (event.audit === true) model.over.delete(0);
  },
  'work.reopened'(event, model) {
    for (const id of event.tasks) {
      const task = taskOf(model, id);
      model.stale.delete(id);
      afresh(task);
      giveUp(model, id);
      // The fix has nothing left to fix.
      const keys = new Set<string | null>([`wave-${task.wave}`, `task-${id}`, 'final']);
      for (const [other, { gate, role }] of model.tasks) if (role === 'fix' && keys.has(gate)) giveUp(model, other);
      model.over.delete(task.wave);
    }
    model.over.delete(model.final);
    // One that failed tries the rest of it again as well.
    if (model.ended === 'completed') model.ended = undefined;
  },
  'plan.amended'(event, model) {
    for (const amendment of event.amendments) amend(model, amendment);
  },
  'task.added'(event, model) {
    model.tasks.set(event.task.id, newTask(event.task, event.wave, event.role, event.finding ?? event.gate));
  },
  'wave.started'(event, model) {
    model.over.delete(event.wave);
  },
  'wave.ended'(event, model) {
    model.over.set(event.wave, event.status);
  },
  'delegation.registered'(event, model) {
    const task = taskOf(model, event.task);
    task.attempts += 1;
    task.tier = event.tier;
    Object.assign(task, { verification: undefined, commit: undefined, refusal: undefined, mayBeLeft: false });
    model.active.set(event.delegation, event.task);
  },
  'delegation.ended'(event, model) {
    const task = taskOf(model, event.task);
    task.end = event;
    Object.assign(task, { isApproved: false, isLeft: false });
    model.active.delete(event.delegation);
    if (isToVerify(model, task)) settle(model, event, false);
  },
  ...settlingReactions,
  'task.retried'(event, model) {
    taskOf(model, event.task).tier = event.tier;
  },
  'task.settled'(event, model) {
    taskOf(model, event.task).status = event.status;
  },
  'task.skipped'(event, model) {
    taskOf(model, event.task).status = 'skipped';
  },
  'checkpoint.opened'(event, model) {
    model.checkpoints.set(event.checkpoint, event);
    model.asked.add(event.checkpoint);
  },
  'checkpoint.answered'(event, model) {
    model.asked.delete(event.checkpoint);
    answer(model, event.checkpoint, event.approved ? 'isApproved' : 'isLeft');
  },
  'run.ended'(event, model) {
    model.ended = event.status;
    for (const task of plansOwn(model)) {
      if (task.status !== 'open') continue;
      task.tier = undefined;
      // One that an earlier end left stays left, unless a start tries everything again.
      task.mayBeLeft ||= isAskedAbout(model, task);
    }
    model.asked.clear();
  },
};

/** Alone, or with others that failed in the same way. */
function isAskedAbout({ asked, checkpoints }: Model, { planned, attempts }: ModelTask): boolean {
  const open = [...asked].flatMap((id) => checkpoints.get(id) ?? []);
  return attempts > 0 && open.some((one) => one.type === 'breaker' || askedTask(one) === planned.id);
}

/** The single task that is asked about. */
function askedTask(opened: EventOf<'checkpoint.opened'>): string | undefined {
  return opened.type === 'failure' || opened.type === 'budget' ? opened.task : undefined;
}

function giveUp(model: Model, id: string): void {
  const { delegation } = model.settling.get(id) ?? {};
  if (delegation !== undefined && model.merging === delegation) model.merging = undefined;
  model.settling.delete(id);
}

export function follow(model: Model, event: RunEvent): void {
  react(reactions, event, model);
}

function afresh(task: ModelTask): void {
  task.status = 'open';
  task.tier = undefined;
  task.mayBeLeft = false;
}

function answer(model: Model, id: string, said: 'isApproved' | 'isLeft'): void {
  const checkpoint = model.checkpoints.get(id);
  const task = checkpoint === undefined ? undefined : askedTask(checkpoint);
  if (task !== undefined) taskOf(model, task)[said] = true;
  if (checkpoint?.type !== 'breaker') return;
  for (const task of model.tasks.values()) task[said] = true;
}
