/** Once, order, apart, honest, reasons, nothing lost: see `invariants.ts`. */
import { failureOf } from '../../src/core/event/make-outcome.ts';
import type { EventOf } from '../../src/core/event/event.ts';
import type { Outcome } from '../../src/core/event/outcome.ts';
import { type Check, type Rule, ruleOf } from './rule.ts';
import { isDone, type Model, type ModelTask, plansOwn, scopesOverlap, taskOf } from './model.ts';

export function workRules(): Rule {
  const known = new Set<string>();
  return ruleOf({
    'run.started'(_event, model, check) {
      check(model.active.size === 0, `started while ${model.active.size} delegations were active`);
      check(model.ended !== 'completed', 'a completed run started again');
    },
    'wave.started'(event, model, check) {
      for (let wave = 1; wave < event.wave; wave += 1)
        check(model.over.has(wave), `wave ${event.wave} started before wave ${wave} was over`);
    },
    'delegation.registered'(event, model, check) {
      check(!known.has(event.delegation), `${event.delegation} was registered twice`);
      known.add(event.delegation);
      checkRegistered(taskOf(model, event.task), model, check);
    },
    'delegation.ended'(event, model, check) {
      check(model.active.get(event.delegation) === event.task, `${event.delegation} ended without being active`);
    },
    'task.settled'(event, model, check) {
      const task = taskOf(model, event.task);
      check(task.status === 'open', `${event.task} was settled although it was ${task.status}`);
      check(settles(task, event, model), `${event.task} was settled as ${event.status} without an end that says so`);
    },
    'task.skipped'(event, model, check) {
      const { status, planned, role } = taskOf(model, event.task);
      check(status === 'open', `${event.task} was skipped although it was ${status}`);
      // A review of what is done again has nothing to look at.
      if (role !== 'work' && role !== 'fix') return;
      const all = planned.after.every((after) => isDone(model, after));
      check(!all, `${event.task} was skipped although all it depends on has completed`);
    },
    'run.paused'(event, model, check) {
      check(event.reason !== '', 'paused without a reason');
      check(model.active.size === 0, 'paused with active delegations');
    },
    'run.ended'(event, model, check) {
      checkEnded(event, model, check);
    },
  });
}

function checkRegistered({ planned, wave, status }: ModelTask, model: Model, check: Check): void {
  const { id } = planned;
  // What is looked into or merged has its place and its scope until then.
  const settling = [...model.settling].flatMap(([task, { isAccepted }]) => (isAccepted ? [] : [task]));
  const active = [...model.active.values(), ...settling];
  check(status === 'open', `${id} started although it was ${status}`);
  check(!active.includes(id) && !model.settling.has(id), `${id} was active twice`);
  check(active.length < model.settings.concurrency, `${active.length + 1} delegations were active`);
  const all = planned.after.every((after) => isDone(model, after));
  check(all, `${id} started before what it depends on had completed`);
  for (const other of active) {
    const { scope } = taskOf(model, other).planned;
    check(!scopesOverlap(planned.scope, scope), `${id} and ${other} ran in overlapping scopes`);
  }
  for (const other of plansOwn(model)) {
    const isOver = other.status !== 'open' || other.mayBeLeft;
    if (other.wave < wave) check(isOver, `${id} started before ${other.planned.id} had ended`);
  }
}

/** What was cancelled says nothing about the task, and what was lost says something only after many times. */
function settles(
  { end, isApproved, refusal }: ModelTask,
  { status }: EventOf<'task.settled'>,
  { settings }: Model,
): boolean {
  if (end === undefined || end.end === 'cancelled') return false;
  if (end.end === 'lost' && !settings.gated) return false;
  if (refusal !== undefined) return status === 'failed';
  if (end.outcome.status === status) return true;
  return status === 'completed' && isApproved && isWorkWithoutReturn(end.outcome);
}

/** Its return was not accepted, and it left something. */
export function isWorkWithoutReturn(outcome: Outcome | undefined): boolean {
  return failureOf(outcome)?.class === 'contract-violation' && outcome?.report !== undefined;
}

function checkEnded({ status }: EventOf<'run.ended'>, model: Model, check: Check): void {
  check(model.active.size === 0, 'ended with active delegations');
  if (status === 'cancelled') return;
  check(model.settling.size === 0, `ended while ${model.settling.size} tasks were verified or merged`);
  for (const task of plansOwn(model)) {
    const isOver = task.status !== 'open' || (task.mayBeLeft && status === 'failed');
    check(isOver, `the run ended and ${task.planned.id} had not`);
    const isRight = status === 'failed' || task.status === 'completed';
    check(isRight, `completed although ${task.planned.id} was ${task.status}`);
  }
}
