/**
 * One run of the real core, loop and local engine in a simulated world: crashes before and after a commit and in
 * between, orchestrators that go on after they were replaced, ends that are delivered twice, uneven durations, clocks
 * that jump, people who stop the run and answer its checkpoints. After a while the world turns kind, and the run must end.
 */
import { isDeepStrictEqual } from 'node:util';
import { newDelegationId, newRunId } from '../../src/contracts/ids.ts';
import { apply } from '../../src/core/apply.ts';
import { type NewEvent, type RunEvent, stamp } from '../../src/core/event.ts';
import { readRest, writeRest } from '../../src/core/state-at-rest.ts';
import type { RunState } from '../../src/core/state.ts';
import { waitingFor } from '../../src/core/waiting.ts';
import type { Ended, Engine, Happening } from '../../src/engine/engine.ts';
import { type LocalEngine, localEngine } from '../../src/engine/local/local-engine.ts';
import type { Plan, PlanTask } from '../../src/plan/plan.ts';
import { planEvents } from '../../src/scheduler/plan-events.ts';
import { reconcile } from '../../src/scheduler/reconcile.ts';
import { runLoop } from '../../src/scheduler/run-loop.ts';
import { brokenInvariants } from './invariants.ts';
import { performIn } from './perform-in.ts';
import { randomPlan } from './random-plan.ts';
import { type Random, randomOf } from './random.ts';
import { newWorld, type World } from './world.ts';

class Crash extends Error {}
class Fenced extends Error {}

export interface Simulated {
  readonly events: readonly RunEvent[];
  readonly broken: readonly string[];
  readonly incarnations: number;
  readonly crashes: number;
}

/** After so many incarnations nothing bad happens any more. */
const patience = 8;

export interface Simulation {
  readonly random: Random;
  readonly world: World;
  readonly plan: Plan;
  readonly tasks: ReadonlyMap<string, PlanTask>;
  readonly concurrency: number;
  /** What is durable. */
  readonly store: string[];
  readonly broken: string[];
  /** Work that is really going on, by delegation. */
  readonly performing: Map<string, string>;
  /** Delegations that have said all they had to say. */
  readonly said: Map<string, Ended>;
  token: number;
  incarnations: number;
  crashes: number;
}

const tick = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function simulate(seed: number): Promise<Simulated> {
  const random = randomOf(seed);
  const plan = randomPlan(random);
  const sim: Simulation = {
    random,
    plan,
    world: newWorld(),
    tasks: new Map(plan.waves.flatMap(({ tasks }) => tasks.map((task) => [task.id, task] as const))),
    concurrency: 1 + random.below(5),
    store: [],
    broken: [],
    performing: new Map(),
    said: new Map(),
    token: 0,
    incarnations: 0,
    crashes: 0,
  };
  for (let again = true; again;) {
    sim.incarnations += 1;
    const status = await drive(sim, live(sim));
    again = status === 'crashed' || status === 'paused' || (status !== 'completed' && random.chance(0.3));
    if (sim.incarnations > patience * 3) {
      sim.broken.push(`does not end: ${status}`);
      again = false;
    }
  }
  const events = stored(sim);
  sim.broken.push(...brokenInvariants(plan, sim.concurrency, events));
  return { events, broken: sim.broken, incarnations: sim.incarnations, crashes: sim.crashes };
}

function stored({ store }: Simulation): RunEvent[] {
  return store.map((line) => JSON.parse(line) as RunEvent);
}

function fold(events: readonly RunEvent[]): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = apply(state, event);
  return state;
}

/** Lets time pass whenever nothing else can happen. */
async function drive(sim: Simulation, work: Promise<string>): Promise<string> {
  let status: string | undefined;
  let fault: unknown;
  work.then(
    (ended) => {
      status = ended;
    },
    (error: unknown) => {
      fault = error;
      status = 'faulty';
    },
  );
  for (let idle = 0; status === undefined;) {
    await tick();
    if (status !== undefined) break;
    idle = sim.world.step() ? 0 : idle + 1;
    if (idle > 20) throw new Error('nothing happens any more');
  }
  if (fault !== undefined) throw fault;
  return status;
}

/** One incarnation of the orchestrator, from its start to its end or its death. */
async function live(sim: Simulation): Promise<string> {
  const { random, world } = sim;
  const owner = {};
  const clock = world.clockOf(owner);
  const token = (sim.token += 1);
  const kind = sim.incarnations > patience;
  // Whatever an earlier incarnation had running is reaped before anything else.
  sim.performing.clear();

  let die: () => void = () => undefined;
  const death = new Promise<'crashed'>((resolve) => {
    die = () => {
      sim.crashes += 1;
      // A zombie goes on until the ledger refuses it; a dead one stops here.
      if (random.chance(0.7)) world.kill(owner);
      resolve('crashed');
    };
  });
  const append = (events: readonly RunEvent[]): void => {
    if (sim.token !== token) throw new Fenced();
    if (!kind && random.chance(0.03)) throw new Crash('before the commit');
    sim.store.push(...events.map((event) => JSON.stringify(event)));
    if (!kind && random.chance(0.03)) throw new Crash('after the commit');
  };
  const record = (events: readonly NewEvent[]): void => append(events.map((event) => stamp(event, clock.now())));

  const work = async (): Promise<string> => {
    try {
      if (sim.store.length === 0) record(firstEvents(sim));
      let state = fold(stored(sim)) as RunState;
      if (state.status === 'completed') return state.status;
      const found = await reconcile(state, async ({ key }) => {
        const ended = sim.said.get(key);
        return ended?.end === 'returned' && random.chance(0.8) ? ended : undefined;
      });
      const answers: NewEvent[] = state.checkpoints
        .filter(({ status }) => status === 'open')
        .map(({ id }) => ({ kind: 'checkpoint.answered', checkpoint: id, approved: true }));
      record([...found, { kind: 'run.started', command: `incarnation ${token}` }, ...answers]);
      state = fold(stored(sim)) as RunState;
      const local = localEngine({
        perform: performIn(sim, token, owner),
        gather: async () => (random.chance(0.5) ? tick() : undefined),
      });
      if (!kind) disturb(sim, owner, local, die);
      await runLoop(state, {
        engine: forgetful(sim, local),
        clock,
        newDelegation: () => newDelegationId(new Date(clock.now()), random.next),
        append,
        committed: (events, now) => watch(sim, owner, local, events, now, kind),
        grace: 500,
        atCheckpoint: random.chance(0.5) ? 'wait' : 'pause',
      });
      compareWithReplay(sim, state);
      return state.status;
    } catch (error) {
      if (error instanceof Crash) sim.crashes += 1;
      else if (!(error instanceof Fenced)) throw error;
      world.kill(owner);
      return 'crashed';
    }
  };
  const working = work();
  const first = await Promise.race([working, death]);
  // A zombie's late end is nobody's business, but a fault of it is.
  working.catch((error: unknown) => sim.broken.push(`a replaced orchestrator failed: ${String(error)}`));
  return first;
}

function firstEvents({ random, plan, concurrency }: Simulation): NewEvent[] {
  const settings = { concurrency, driver: 'simulated', deadlines: {} };
  return planEvents({ run: newRunId(new Date(0), random.next), file: 'plan.md', hash: '', plan, settings });
}

/** Things that happen at some time: death, a jump of the clock, a person who stops the run. */
function disturb({ random, world }: Simulation, owner: object, local: LocalEngine, die: () => void): void {
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
}

/** An engine that delivers some ends a second time, at once or much later. */
function forgetful({ random }: Simulation, local: LocalEngine): Engine {
  const past: Happening[] = [];
  return {
    ...local,
    async race() {
      const given = await local.race();
      past.push(...given.filter(({ kind }) => kind === 'ended' || kind === 'answered'));
      return past.length > 0 && random.chance(0.2) ? [...given, random.pick(past)] : given;
    },
  };
}

/** A person who answers, and a look at whether every task that waits has a reason. */
function watch(
  { random, world, broken }: Simulation,
  owner: object,
  local: LocalEngine,
  events: readonly RunEvent[],
  state: RunState,
  kind: boolean,
): void {
  for (const { id, status } of state.checkpoints) {
    if (
      status !== 'open' ||
      !events.some((event) => event.kind === 'checkpoint.opened' || event.kind === 'run.started')
    )
      continue;
    const approved = kind || random.chance(0.8);
    world.clockOf(owner).after(random.below(2000), () => local.deliver({ kind: 'answered', key: id, approved }));
  }
  if (!random.chance(0.2)) return;
  for (const task of state.tasks.values()) {
    if (task.progress.status !== 'pending') continue;
    const waiting = waitingFor(state, task);
    if (waiting === undefined) broken.push(`${task.planned.id} waits without a reason`);
    else if (
      waiting.for === 'scope-lock' &&
      ![...state.active.values()].some(({ registered }) => registered.task === waiting.task)
    ) {
      if (!state.startable.has(waiting.task))
        broken.push(`${task.planned.id} waits for ${waiting.task}, which does not run`);
    }
  }
}

/** The state a run has lived through is the state its ledger gives. */
function compareWithReplay(sim: Simulation, state: RunState): void {
  const replayed = fold(stored(sim));
  if (!isDeepStrictEqual(replayed, state)) sim.broken.push('the replayed state differs from the one that was lived');
  const text = writeRest(state);
  const restored = fold(stored(sim).filter(({ kind }) => kind === 'run.created' || kind === 'wave.planned'));
  if (text === undefined || restored === undefined || !readRest(restored, text))
    sim.broken.push('the state at rest could not be kept');
  else if (!isDeepStrictEqual(restored, state)) sim.broken.push('the kept state differs from the one that was lived');
}
