/** Verified, merged, back, checked: see `invariants.ts`. */
import { isFailure } from '../../src/core/event/work-findings.ts';
import type { EventOf } from '../../src/core/event/event.ts';
import { criteria } from './random-plan.ts';
import { isWorkWithoutReturn } from './rules-of-work.ts';
import { type Check, type Rule, ruleOf } from './rule.ts';
import { type Model, type ModelTask, plansOwn, taskOf } from './model.ts';

export function mergingRules(): Rule {
  const rules: readonly Rule[] = [verifiedRule(), mergedRule(), updatedRule(), backRule(), checkedRule()];
  return (event, model, check) => {
    for (const rule of rules) rule(event, model, check);
  };
}

/** As lines: of the config, and of the plan where a person has seen it. */
export function commandsOf({ workspace, isConfirmed }: Model, tasks: readonly ModelTask[]): Set<string> {
  const all = tasks.length === 0 ? [] : (workspace?.accept ?? []).map((argv) => argv.join(' '));
  const own = tasks.flatMap(({ planned }) => planned.accept.flatMap((one) => criteria[one]?.join(' ') ?? []));
  return new Set(isConfirmed ? [...all, ...own] : all);
}

function checkRan(
  { commands }: Pick<EventOf<'gate.checked'>, 'commands'>,
  allowed: ReadonlySet<string>,
  where: string,
  check: Check,
): void {
  for (const { argv } of commands) {
    const line = argv.join(' ');
    check(allowed.has(line), `${line} was run for ${where}, and nobody has said that it may`);
  }
}

function verifiedRule(): Rule {
  return ruleOf({
    'task.accepted'(event, model, check) {
      const { end, isApproved, role } = taskOf(model, event.task);
      const isRight = isApproved && isWorkWithoutReturn(end?.outcome);
      check(isRight && role !== 'audit' && !role.endsWith('review'), `${event.task} was accepted, and nobody said so`);
    },
    'task.verified'(event, model, check) {
      const { task: id, delegation, verification } = event;
      const settling = model.settling.get(id);
      const isRight = settling?.stage === 'verifying' && settling.delegation === delegation;
      check(isRight, `${id} was verified and did not wait for it`);
      const wanted = commandsOf(model, [taskOf(model, id)]);
      checkRan(verification, wanted, id, check);
      if (verification.verdict === 'rejected') return;
      const held = new Set(verification.commands.flatMap((ran) => (isFailure(ran) ? [] : [ran.argv.join(' ')])));
      check(held.size === wanted.size, `${id} was not rejected although not all of its commands have held`);
    },
    'task.settled'(event, model, check) {
      const { role, verification, commit, refusal, isLeft } = taskOf(model, event.task);
      if (refusal !== undefined && role === 'work' && model.settings.gated)
        check(isLeft, `${event.task} was given up, and nobody was asked`);
      if (model.workspace === undefined || event.status !== 'completed' || (role !== 'work' && role !== 'fix')) return;
      const isVerified = verification !== undefined && verification.verdict !== 'rejected';
      check(isVerified, `${event.task} completed and was not verified`);
      check(verification?.commit === undefined || commit !== undefined, `${event.task} completed and was not merged`);
      check(!model.settling.has(event.task), `${event.task} was settled too early`);
    },
  });
}

const { compare } = new Intl.Collator('en', { numeric: true });

function mergedRule(): Rule {
  const merged = new Set<string>();
  return ruleOf({
    'merge.started'(event, model, check) {
      check(model.merging === undefined, `${event.task} is merged beside ${model.merging ?? ''}`);
      const own = taskOf(model, event.task);
      for (const [id, { stage }] of model.settling) {
        if (stage !== 'merging' || id === event.task) continue;
        const { wave } = taskOf(model, id);
        const isLater = wave > own.wave || (wave === own.wave && compare(id, event.task) > 0);
        check(isLater, `${event.task} was merged before ${id}`);
      }
    },
    'task.merged'(event, model, check) {
      check(model.merging === event.delegation, `${event.task} was merged although nobody had begun to`);
      check(!merged.has(event.delegation), `${event.delegation} was merged twice`);
      merged.add(event.delegation);
    },
    'task.conflicted'(event, model, check) {
      check(model.merging === event.delegation, `${event.task} has a conflict although nobody has begun to merge it`);
    },
    'delegation.ended'(event, _model, check) {
      check(!merged.has(event.delegation), `${event.delegation} was merged before it had ended`);
    },
  });
}

function updatedRule(): Rule {
  return ruleOf({
    'merge.started'(event, model, check) {
      check(model.updates.length === 0, `${event.task} is merged although ${model.updates[0] ?? ''} waits`);
    },
    'workspace.updated'(event, model, check) {
      check(model.updates[0] === event.update, `${event.update} was done out of turn`);
      check(model.merging === undefined, `${event.update} was done beside the merge of ${model.merging ?? ''}`);
    },
    'delegation.registered'(event, model, check) {
      const broken = [...model.stale].filter((id) => model.tasks.get(id)?.status === 'completed');
      check(broken.length === 0, `${event.task} was begun although ${broken.join(', ')} no longer holds`);
    },
    'run.ended'(event, model, check) {
      if (event.status !== 'completed') return;
      check(model.updates.length === 0, `the run has completed without ${model.updates.join(', ')}`);
    },
  });
}

/** How often in a row at one tier, without a person in between. */
const mostAgain = 2;

function backRule(): Rule {
  const times = new Map<string, ReadonlySet<number>>();
  /** Whom a person has given another attempt that has not begun. */
  const granted = new Set<string>();
  const forget = (task: string): void => {
    granted.add(task);
    for (const key of times.keys()) if (key.startsWith(`${task} `)) times.delete(key);
  };
  return ruleOf({
    'task.retried'(event, model, check) {
      if (!model.settings.gated) return;
      if (event.why === 'approved') return forget(event.task);
      const { refusal, tier, attempts } = taskOf(model, event.task);
      if (refusal === undefined || granted.has(event.task)) return undefined;
      if (event.why === 'escalated') {
        check(refusal === 'verification-failed', `${event.task} goes to a stronger agent with ${refusal}`);
        return undefined;
      }
      check(refusal !== 'environment', `${event.task} is tried again although nothing goes into the branch`);
      const key = `${event.task} ${tier ?? ''} ${refusal}`;
      // What a circuit breaker held up is said once more when it is gone.
      const attemptsSoFar = new Set(times.get(key)).add(attempts);
      times.set(key, attemptsSoFar);
      check(attemptsSoFar.size <= mostAgain, `${event.task} is tried again and again with ${refusal}`);
      return undefined;
    },
    'delegation.registered'(event) {
      granted.delete(event.task);
    },
    'run.started'(_event, model) {
      if (model.ended !== undefined) times.clear();
    },
    'work.reopened'(event) {
      for (const id of event.tasks) forget(id);
    },
    'plan.amended'() {
      times.clear();
    },
  });
}

function checkedRule(): Rule {
  /** By gate: the commit on which all of these have held. */
  const held = new Map<string, { readonly commit: string; readonly commands: ReadonlySet<string> }>();
  const worked = (model: Model, wave: number): ModelTask[] =>
    plansOwn(model).filter((task) => task.wave === wave && task.attempts > 0 && task.status === 'completed');
  return ruleOf({
    'gate.checked'(event, model, check) {
      checkRan(event, commandsOf(model, plansOwn(model)), event.gate, check);
      check(event.commit === model.head, `${event.gate} was checked at ${event.commit}, not where the branch is`);
      const commands = new Set(event.commands.map(({ argv }) => argv.join(' ')));
      if (!event.commands.some(isFailure)) held.set(event.gate, { commit: event.commit, commands });
      else held.delete(event.gate);
    },
    'delegation.registered'(event, model, check) {
      const { role, wave, gate } = taskOf(model, event.task);
      if (role !== 'wave-review' || gate === null || model.workspace === undefined || model.head === null) return;
      const found = held.get(gate);
      for (const line of commandsOf(model, worked(model, wave))) {
        const isHeld = found?.commit === model.head && found.commands.has(line);
        check(isHeld, `${event.task} looks at ${model.head ?? ''}, where ${line} has not held`);
      }
    },
  });
}
