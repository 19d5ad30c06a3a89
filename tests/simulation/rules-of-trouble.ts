/** Breaker, budgets, quota, upward, answers, pauses: see `invariants.ts`. */
import type { EventOf, RunEvent } from '../../src/core/event/event.ts';
import type { Failure } from '../../src/core/event/outcome.ts';
import type { FailureClass } from '../../src/gates/failure-policy.ts';
import { tiers } from '../../src/plan/plan.ts';
import { budgetRules } from './rules-of-budgets.ts';
import { type Check, type Reactions, type Rule, ruleOf } from './rule.ts';
import { type Model, taskOf } from './model.ts';

export function troubleRules(): Rule {
  const rules: readonly Rule[] = [breakerRule(), quotaRule(), diskRule(), tierRule(), answerRule(), budgetRules()];
  return (event, model, check) => {
    for (const rule of rules) rule(event, model, check);
  };
}

/** Of an attempt that says something about its task. */
function failureOf({ end, outcome }: EventOf<'delegation.ended'>): Failure | undefined {
  if (outcome.status === 'completed' || end === 'cancelled') return undefined;
  return outcome.failure;
}

/** Nothing of it holds for work that no one looks after. */
function gatedRule(reactions: Reactions<[Model, Check]>): Rule {
  const rule = ruleOf(reactions);
  return (event, model, check) => {
    if (model.settings.gated) rule(event, model, check);
  };
}

/** What several tasks have in common by chance. */
const saysNothing = new Set<FailureClass>(['quota', 'lost', 'conflict', 'unfinished']);

function breakerRule(): Rule {
  const times = new Map<string, Set<string>>();
  const asked = new Map<string, string>();
  const count = (failure: FailureClass, message: string, task: string): void => {
    const signature = `${failure}: ${message.replaceAll(/\d+/g, '#')}`;
    times.set(signature, new Set(times.get(signature)).add(task));
  };
  return gatedRule({
    'delegation.ended'(event) {
      const failure = failureOf(event);
      if (failure === undefined || saysNothing.has(failure.class)) return;
      count(failure.class, failure.message, event.task);
    },
    'task.verified'({ task, verification: { verdict, findings } }) {
      if (verdict !== 'rejected') return;
      count('verification-failed', findings.map(({ fact }) => fact).join(' · '), task);
    },
    'task.conflicted'({ task, branch }) {
      if (branch !== undefined) count('environment', branch, task);
    },
    'delegation.registered'(event, _model, check) {
      for (const [signature, { size }] of times)
        check(size < 3, `${event.task} was registered after ${size} tasks with ${signature}`);
    },
    'checkpoint.opened'(event) {
      if (event.type === 'breaker') asked.set(event.checkpoint, event.signature);
    },
    'checkpoint.answered'(event) {
      times.delete(asked.get(event.checkpoint) ?? '');
    },
    'run.started'(_event, model) {
      // A person wants all of it tried again.
      if (model.ended !== undefined) times.clear();
    },
    'work.reopened'(event, model) {
      for (const [signature, tasks] of times) if (event.tasks.some((id) => tasks.has(id))) times.delete(signature);
      if (model.ended !== undefined) times.clear();
    },
    'wave.ended'() {
      times.clear();
    },
  });
}

function quotaRule(): Rule {
  let until = 0;
  return (event, { settings }, check) => {
    if (!settings.gated) return;
    if (event.kind === 'delegation.ended') {
      const failure = failureOf(event);
      // Where no one knows, a minute is the least.
      if (failure?.class === 'quota') until = Math.max(until, failure.until ?? event.at + 60_000);
    }
    if (event.kind === 'clock.reached' && event.time >= until) until = 0;
    if (event.kind === 'delegation.registered') check(until === 0, `${event.task} was registered without a quota`);
  };
}

function diskRule(): Rule {
  let isLow = false;
  let isAsked = false;
  return (event, { checkpoints }, check) => {
    const isOurs = 'checkpoint' in event && checkpoints.get(event.checkpoint)?.type === 'disk';
    if (event.kind === 'disk.measured') {
      const isNow = event.free < event.needs;
      check(isNow !== isLow, 'the disk was measured and nothing had changed');
      isLow = isNow;
    }
    if (event.kind === 'checkpoint.opened' && event.type === 'disk') {
      check(isLow && !isAsked, `${event.checkpoint} was opened without a full disk, or again`);
      isAsked = true;
    }
    if (event.kind === 'checkpoint.withdrawn' && isOurs) check(!isLow, `${event.checkpoint} was withdrawn`);
    if (event.kind === 'checkpoint.answered' && isOurs && event.approved) isLow = false;
    if (event.kind === 'checkpoint.answered' || event.kind === 'checkpoint.withdrawn' || event.kind === 'run.ended')
      isAsked &&= !isOurs && event.kind !== 'run.ended';
    if (event.kind === 'delegation.registered') check(!isLow, `${event.task} was registered on a full disk`);
  };
}

function tierRule(): Rule {
  const rises = new Map<string, number>();
  return ruleOf({
    'task.retried'(event, model, check) {
      const { tier } = taskOf(model, event.task);
      if (tier === undefined) return;
      const risen = tiers.indexOf(event.tier) - tiers.indexOf(tier);
      const isRight = event.why === 'escalated' ? risen === 1 : risen === 0;
      check(isRight, `${event.task} went from ${tier} to ${event.tier}: ${event.why}`);
      const times = (rises.get(event.task) ?? 0) + risen;
      check(times <= 2, `${event.task} was escalated ${times} times`);
      rises.set(event.task, event.why === 'approved' ? 0 : times);
    },
    'delegation.registered'(event, model, check) {
      const { tier } = taskOf(model, event.task);
      if (tier === undefined) rises.delete(event.task);
      check(tier === undefined || tier === event.tier, `${event.task} was to run at ${tier ?? ''}, not ${event.tier}`);
    },
    'plan.amended'() {
      rises.clear();
    },
  });
}

function answerRule(): Rule {
  const open = new Set<string>();
  /** Those that are certainly open. */
  const trouble = new Set<string>();
  return ruleOf({
    'checkpoint.opened'(event, model, check) {
      check(!open.has(event.checkpoint), `${event.checkpoint} was opened twice`);
      // One question about all of them takes the place of single ones.
      if (event.type === 'breaker') trouble.clear();
      open.add(event.checkpoint);
      if (isTroubleAt(event.checkpoint, model)) trouble.add(event.checkpoint);
    },
    'work.reopened'() {
      trouble.clear();
    },
    'plan.amended'() {
      trouble.clear();
    },
    'checkpoint.answered'(event, model, check) {
      check(open.delete(event.checkpoint), `${event.checkpoint} was answered and not open`);
      trouble.delete(event.checkpoint);
      checkMode(event, model, check);
    },
    'delegation.registered'(event, model, check) {
      const isStopped = model.onTrouble === 'stop' && trouble.size > 0;
      check(!isStopped, `${event.task} started though the run was to stop at ${[...trouble].join(', ')}`);
    },
    'run.paused'(event, _model, check) {
      check(event.for === 'stop' || open.size > 0, 'paused for an answer that nobody was asked for');
    },
    'run.ended'() {
      open.clear();
      trouble.clear();
    },
    'wave.started'(event, model, check) {
      for (const id of open) {
        const opened = model.checkpoints.get(id) as EventOf<'checkpoint.opened'>;
        check(
          opened.type !== 'planned' || opened.afterWave >= event.wave || event.wave === 0,
          `${id} was passed without an answer`,
        );
      }
    },
  });
}

function isTroubleAt(checkpoint: string, { checkpoints }: Model): boolean {
  const type = checkpoints.get(checkpoint)?.type;
  return type !== undefined && type !== 'planned' && type !== 'edit';
}

function checkMode(
  { by, approved, checkpoint }: RunEvent & { kind: 'checkpoint.answered' },
  model: Model,
  check: Check,
): void {
  if (by === 'person') return;
  if (by === 'on-trouble') {
    check(
      !approved && isTroubleAt(checkpoint, model) && model.onTrouble === 'reject',
      `${checkpoint} was rejected though a person is asked`,
    );
    return;
  }
  const isRight = approved && model.settings.mode === 'auto' && model.checkpoints.get(checkpoint)?.type === 'planned';
  check(isRight, `${checkpoint} was answered by nobody`);
}
