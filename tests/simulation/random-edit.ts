/** Random edits of a running plan: some can be applied, some come too late. */
import type { Amendment } from '../../src/core/event/amendment.ts';
import type { PlannedTask } from '../../src/core/event/planned-task.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { PlanEdited } from '../../src/engine/engine.ts';
import { minimalScope } from '../../src/delegation/scope-locks.ts';
import { tiers } from '../../src/plan/plan.ts';
import type { Random } from './random.ts';
import { randomAccept, randomExtras, randomScope } from './random-plan.ts';

/** `fresh` gives a name that no one has, unless two people think of the same one. */
export function randomEdit(random: Random, state: RunState, fresh: () => string): PlanEdited {
  const all = Array.from({ length: 1 + random.below(4) }, () => randomAmendment(random, state, fresh));
  // What is run to see whether it holds is never changed without a yes, nor what goes with it.
  const isGuarded = all.some((one) => 'task' in one && typeof one.task === 'object' && isAccepting(state, one.task));
  const toConfirm = isGuarded ? all : all.filter(() => random.chance(0.3));
  const amendments = all.filter((one) => !toConfirm.includes(one));
  const conflicts = random.chance(0.2) ? ['nobody understands line 7'] : [];
  return { file: 'plan.md', hash: fresh(), amendments, toConfirm, conflicts };
}

function isAccepting({ tasks }: RunState, { id, accept }: PlannedTask): boolean {
  return accept.join() !== (tasks.get(id)?.planned.accept.join() ?? '');
}

function randomAmendment(random: Random, state: RunState, fresh: () => string): Amendment {
  const ids = [...state.tasks.keys()];
  if (ids.length === 0) return { kind: 'add-wave', number: 99, title: fresh(), reviewTier: 'deep' };
  const id = random.pick(ids);
  const known = state.tasks.get(id)?.planned as PlannedTask;
  const waves = state.waves.length;
  const wave = 1 + random.below(waves + (random.chance(0.1) ? 1 : 0));
  const at = random.below(4);
  const afterWave = 1 + random.below(waves);
  switch (random.below(11)) {
    case 0:
    case 1:
      return { kind: 'add', wave, at, task: newTask(random, state, random.chance(0.05) ? id : fresh()) };
    case 2:
      return { kind: 'remove', task: id };
    case 3:
    case 4:
      return { kind: 'change', task: changed(random, known) };
    case 5:
      return { kind: 'rename', from: id, to: nameFor(random, state, fresh) };
    case 6:
      return { kind: 'move', task: id, wave, at };
    case 7:
      return { kind: 'order', wave, tasks: ids.filter(() => random.chance(0.5)).toReversed() };
    case 8:
      return { kind: 'tick', task: id };
    case 9:
      return random.chance(0.5)
        ? { kind: 'add-wave', number: waves + 1, title: fresh(), reviewTier: 'deep' }
        : { kind: 'change-wave', wave, title: fresh(), reviewTier: random.pick(tiers) };
    default:
      return {
        kind: random.pick(['add-checkpoint', 'remove-checkpoint']),
        afterWave,
        why: `look at wave ${afterWave}`,
      };
  }
}

/** Whether some task depends on one of this name, there or not. */
function isNamed({ tasks }: RunState, id: string): boolean {
  return [...tasks.values()].some(({ planned }) => planned.after.some((after) => 'task' in after && after.task === id));
}

function nameFor(random: Random, state: RunState, fresh: () => string): string {
  const name = random.chance(0.1) ? random.pick([...state.tasks.keys()]) : fresh();
  return isNamed(state, name) ? `${name}a` : name;
}

/** It depends on tasks that are there, and they not on it: no plan has a circle. */
function newTask(random: Random, state: RunState, id: string): PlannedTask {
  const others = [...state.tasks.keys()].filter((other) => other !== id);
  const waits = random.chance(0.3) && others.length > 0 && !isNamed(state, id);
  const after = waits ? [{ task: random.pick(others) }] : [];
  const { tier = 'standard', ...extras } = randomExtras(random);
  const words = {
    id,
    title: `Task ${id}`,
    description: `Do ${id}.`,
    accept: randomAccept(random),
    agent: 'worker',
    done: false,
  };
  return { ...words, after, scope: minimalScope(randomScope(random)), tier, ...extras };
}

function changed(random: Random, task: PlannedTask): PlannedTask {
  const { tier = task.tier, ...extras } = randomExtras(random);
  const { review: _review, budgets: _budgets, ...kept } = task;
  const accept = random.chance(0.1) ? randomAccept(random) : task.accept;
  const after = task.after.filter(() => random.chance(0.7));
  const scope = minimalScope(randomScope(random));
  return { ...kept, accept, after, scope, tier, ...extras, description: `${task.description} Again.` };
}
