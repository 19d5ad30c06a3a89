/** People around a simulated run, and other disturbances: they answer, stop, edit and resume when and how they like. */
import type { EventOf, NewEvent } from '../../src/core/event/event.ts';
import { isOver, openCheckpoints, type RunState } from '../../src/core/state/state.ts';
import { waitingFor } from '../../src/core/state/waiting.ts';
import type { Engine, Happening } from '../../src/engine/engine.ts';
import type { LocalEngine } from '../../src/engine/local/local-engine.ts';
import { answerEvents } from '../../src/core/decide/answer-events.ts';
import { takeEdit } from '../../src/scheduler/take-happening.ts';
import { base, commitByHand, headOf } from './branch.ts';
import { commitId } from '../support/commit-id.ts';
import { randomEdit } from './random-edit.ts';
import type { Simulation } from './simulate.ts';
import { updateEvent } from './steps-in.ts';

type Record = (...events: NewEvent[]) => void;

function answerOf({ random }: Simulation, kind: boolean): { approved: boolean; note?: string } {
  const approved = kind || random.chance(0.7);
  return random.chance(0.4) ? { approved, note: `note ${random.below(100)}` } : { approved };
}

/** While no one works on the run. */
export function answerSome(sim: Simulation, state: RunState, record: Record, kind: boolean): void {
  if (isOver(state.status)) return;
  for (const { id } of openCheckpoints(state)) {
    if (!kind && sim.random.chance(0.4)) continue;
    // One answer may make another question pointless.
    if (!openCheckpoints(state).some((open) => open.id === id)) continue;
    record(...answerEvents(state, { checkpoint: id, ...answerOf(sim, kind) }));
    if (isOver(state.status)) return;
  }
}

/** How the run continues; undefined where it does not. */
export function resumeSomehow(
  sim: Simulation,
  state: RunState,
  record: Record,
  kind: boolean,
): Omit<EventOf<'run.started'>, 'kind' | 'version' | 'at' | 'command'> | undefined {
  const { random } = sim;
  if (kind) {
    if (state.status === 'completed') return undefined;
    if (state.merge === null) for (const one of state.updates) record(updateEvent(sim, one, kind));
    return {};
  }
  const trouble = random.chance(0.15) ? { onTrouble: random.pick(['reject', 'stop'] as const) } : {};
  if (state.status === 'planning') return trouble;
  if (state.status === 'completed' || random.chance(0.15)) {
    const tasks = withDependents(state, pickSome(sim, [...state.tasks.keys()]));
    if (tasks.length > 0) record({ kind: 'work.reopened', tasks, why: 'a person wants it so' });
  }
  if (state.status === 'completed') return undefined;
  if (state.merge === null) for (const one of state.updates) record(updateEvent(sim, one, kind));
  lookAtBranch(sim, state, record);
  if (random.chance(0.1)) takeEdit(state, randomEdit(random, state, fresh(sim)), (event) => record(event));
  return {
    ...(random.chance(0.2) ? { skipFailed: true } : {}),
    ...(random.chance(0.15) ? { audit: true } : {}),
    ...trouble,
  };
}

/** Whoever takes the run up sees where its branch is by now. */
function lookAtBranch({ random, branch, workspace }: Simulation, { head }: RunState, record: Record): void {
  if (workspace === undefined) return;
  if (random.chance(0.1)) commitByHand(branch);
  const now = headOf(branch);
  if (now !== (head ?? base)) record({ kind: 'work.drifted', head: now, files: [] });
}

const fresh = (sim: Simulation) => (): string => {
  sim.names += 1;
  return `n${sim.names - (sim.random.chance(0.05) ? 1 : 0)}`;
};

function pickSome({ random }: Simulation, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : Array.from({ length: 1 + random.below(2) }, () => random.pick(ids));
}

function withDependents({ tasks }: RunState, given: readonly string[]): string[] {
  const all = new Set(given);
  // A set goes through what is added to it on the way.
  for (const id of all) {
    const wave = tasks.get(id)?.wave;
    for (const { planned } of tasks.values()) {
      const waits = planned.after.some((one) => ('task' in one ? one.task === id : one.wave === wave));
      if (waits) all.add(planned.id);
    }
  }
  return [...all].filter((id) => tasks.get(id)?.progress.status !== 'pending');
}

/** Things that happen at some time: death, a jump of the clock, a person who stops the run or edits its plan. */
export function disturb(sim: Simulation, owner: object, local: LocalEngine, state: RunState, die: () => void): void {
  const { random, world, workspace } = sim;
  const clock = world.clockOf(owner);
  const within = (): number => random.below(3000);
  if (random.chance(0.4)) clock.after(within(), die);
  if (random.chance(0.3)) clock.after(within(), () => world.jump((random.next() - 0.5) * 10 * 3_600_000));
  if (random.chance(0.2)) {
    clock.after(within(), () => {
      local.deliver({ kind: 'stop', how: random.pick(['pause', 'pause', 'at-once', 'cancel']) });
      if (random.chance(0.5)) clock.after(random.below(400), () => local.deliver({ kind: 'stop', how: 'at-once' }));
    });
  }
  if (workspace !== undefined && random.chance(0.25)) {
    const commit = random.chance(0.8) ? { commit: commitId(`of-the-user-${random.below(1000)}`) } : {};
    const request = { workspace: { ...workspace, timeout: 1 + random.below(600) }, ...commit };
    clock.after(within(), () => local.deliver({ kind: 'update', request }));
  }
  for (let edits = random.chance(0.4) ? 1 + random.below(3) : 0; edits > 0; edits -= 1) {
    clock.after(within(), () => local.deliver({ kind: 'edited', edit: randomEdit(random, state, fresh(sim)) }));
  }
}

const isRepeatable = ({ kind }: Happening): boolean => kind === 'ended' || kind === 'answered' || kind === 'stepped';

/** An engine that delivers some ends and answers a second time, at once or much later. */
export function forgetful({ random }: Simulation, local: LocalEngine): Engine {
  const past: Happening[] = [];
  return {
    ...local,
    async race() {
      const given = await local.race();
      past.push(...given.filter(isRepeatable));
      return past.length > 0 && random.chance(0.2) ? [...given, random.pick(past)] : given;
    },
  };
}

/** A person who answers, and a look at whether everything that waits has a reason. */
export function watch(
  sim: Simulation,
  owner: object,
  local: LocalEngine,
  state: RunState,
  asked: Set<string>,
  kind: boolean,
): void {
  const { random, world, broken } = sim;
  const open = openCheckpoints(state);
  // Work that an update broke is done again, and its planned checkpoints are asked again.
  for (const id of asked) if (!open.some((one) => one.id === id)) asked.delete(id);
  for (const { id } of open) {
    if (asked.has(id)) continue;
    asked.add(id);
    const answer = { kind: 'answered' as const, key: id, ...answerOf(sim, kind) };
    world.clockOf(owner).after(random.below(2000), () => local.deliver(answer));
  }
  if (state.status === 'paused' && state.needsAnswer && open.length === 0) broken.push('paused for nobody’s answer');
  const isTrouble = open.some(({ kind: why }) => why !== 'planned');
  if (state.needsAnswer && sim.settings.mode === 'auto' && !isTrouble) broken.push('asked although the mode is auto');
  const signatures = open.flatMap((one) => (one.kind === 'breaker' ? [one.signature] : []));
  if (new Set(signatures).size < signatures.length) broken.push(`asked twice about ${signatures.join(', ')}`);
  if (random.chance(0.2)) checkReasons(sim, state);
}

function checkReasons({ broken }: Simulation, state: RunState): void {
  for (const task of [...state.tasks.values(), ...state.gateTasks.values()]) {
    if (task.progress.status !== 'pending') continue;
    const waiting = waitingFor(state, task);
    if (waiting === undefined) broken.push(`${task.planned.id} waits without a reason`);
    if (waiting?.for !== 'scope-lock' || state.index.startable.has(waiting.task)) continue;
    if (state.index.settling.has(waiting.task)) continue;
    if (![...state.active.values()].some(({ registered }) => registered.task === waiting.task))
      broken.push(`${task.planned.id} waits for ${waiting.task}, which does not run`);
  }
}
