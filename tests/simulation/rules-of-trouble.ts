/** Breaker, budgets, quota, upward, answers, pauses: see `invariants.ts`. */
import type { EventOf, RunEvent } from '../../src/core/event.ts';
import type { Failure } from '../../src/core/outcome.ts';
import { tiers } from '../../src/plan/plan.ts';
import { budgetRules } from './rules-of-budgets.ts';
import type { Check, Rule } from './invariants.ts';
import { type Model, taskOf } from './model.ts';

export function troubleRules(): Rule {
  const rules: readonly Rule[] = [breakerRule(), quotaRule(), tierRule(), answerRule(), budgetRules()];
  return (event, model, check) => {
    for (const rule of rules) rule(event, model, check);
  };
}

/** Of an attempt that says something about its task. */
export function failureOf({ end, outcome }: EventOf<'delegation.ended'>): Failure | undefined {
  if (outcome.status === 'completed' || end === 'cancelled') return undefined;
  return outcome.failure ?? { class: 'agent-error', message: outcome.summary };
}

function breakerRule(): Rule {
  const times = new Map<string, number>();
  const asked = new Map<string, string>();
  return (event, model, check) => {
    if (!model.settings.gated) return;
    switch (event.kind) {
      case 'delegation.ended': {
        const failure = failureOf(event);
        if (failure === undefined || failure.class === 'quota' || failure.class === 'lost') break;
        const signature = `${failure.class}: ${failure.message.replaceAll(/\d+/g, '#')}`;
        times.set(signature, (times.get(signature) ?? 0) + 1);
        break;
      }
      case 'delegation.registered':
        for (const [signature, count] of times)
          check(count < 3, `${event.task} was registered after ${count} times ${signature}`);
        break;
      case 'checkpoint.opened':
        if (event.signature !== undefined) asked.set(event.checkpoint, event.signature);
        break;
      case 'checkpoint.answered':
        times.delete(asked.get(event.checkpoint) ?? '');
        break;
      case 'run.started':
        // A person wants all of it tried again.
        if (model.ended !== undefined) times.clear();
        break;
      case 'work.reopened':
        if (model.ended !== undefined) times.clear();
        break;
      case 'wave.ended':
        times.clear();
        break;
      default:
    }
  };
}

function quotaRule(): Rule {
  let until = 0;
  return (event, { settings }, check) => {
    if (!settings.gated) return;
    if (event.kind === 'delegation.ended') {
      const failure = failureOf(event);
      // Where nobody knows, a minute is the least.
      if (failure?.class === 'quota') until = Math.max(until, failure.until ?? event.at + 60_000);
    }
    if (event.kind === 'clock.reached' && event.time >= until) until = 0;
    if (event.kind === 'delegation.registered') check(until === 0, `${event.task} was registered without a quota`);
  };
}

function tierRule(): Rule {
  const rises = new Map<string, number>();
  return (event, model, check) => {
    switch (event.kind) {
      case 'task.retried': {
        const { tier = event.tier } = taskOf(model, event.task);
        const risen = tiers.indexOf(event.tier) - tiers.indexOf(tier);
        const isRight = event.why === 'escalated' ? risen === 1 : risen === 0;
        check(isRight, `${event.task} went from ${tier} to ${event.tier}: ${event.why}`);
        const times = (rises.get(event.task) ?? 0) + risen;
        check(times <= 2, `${event.task} was escalated ${times} times`);
        rises.set(event.task, event.why === 'approved' ? 0 : times);
        break;
      }
      case 'delegation.registered': {
        const { tier } = taskOf(model, event.task);
        if (tier === undefined) rises.delete(event.task);
        check(
          tier === undefined || tier === event.tier,
          `${event.task} was to run at ${tier ?? ''}, not ${event.tier}`,
        );
        break;
      }
      case 'plan.amended':
        rises.clear();
        break;
      default:
    }
  };
}

function answerRule(): Rule {
  const open = new Set<string>();
  return (event, model, check) => {
    switch (event.kind) {
      case 'checkpoint.opened':
        check(!open.has(event.checkpoint), `${event.checkpoint} was opened twice`);
        open.add(event.checkpoint);
        break;
      case 'checkpoint.answered':
        check(open.delete(event.checkpoint), `${event.checkpoint} was answered and not open`);
        checkMode(event, model, check);
        break;
      case 'run.paused':
        check(event.for === 'stop' || open.size > 0, 'paused for an answer that nobody was asked for');
        break;
      case 'run.ended':
        open.clear();
        break;
      case 'wave.started':
        for (const id of open) {
          const { type, afterWave = Infinity } = model.checkpoints.get(id) as EventOf<'checkpoint.opened'>;
          check(
            type !== 'planned' || afterWave >= event.wave || event.wave === 0,
            `${id} was passed without an answer`,
          );
        }
        break;
      default:
    }
  };
}

function checkMode(
  { by, approved, checkpoint }: RunEvent & { kind: 'checkpoint.answered' },
  model: Model,
  check: Check,
): void {
  if (by === 'person') return;
  const isRight = approved && model.settings.mode === 'auto' && model.checkpoints.get(checkpoint)?.type === 'planned';
  check(isRight, `${checkpoint} was answered by nobody`);
}
