/**
 * One run of the real core, loop and local engine in a simulated world: crashes before and after a commit and in between,
 * orchestrators that continue after they were replaced, ends that are delivered twice, uneven durations, clocks that jump, work
 * that fails in every way, reviews with every verdict, people who stop the run, edit its plan, answer its checkpoints and
 * resume it in their own ways. After a while the world turns kind, and the run must end.
 */
import { defined } from '../../src/base/defined.ts';
import { isDeepStrictEqual } from 'node:util';
import { newDelegationId, newRunId } from '../../src/base/ids.ts';
import { apply } from '../../src/core/apply/apply.ts';
import { checkEvent, type NewEvent, type RunEvent } from '../../src/core/event/event.ts';
import type { PlannedTask } from '../../src/core/event/planned-task.ts';
import { restoreSnapshot, writeSnapshot } from '../../src/core/state/snapshot.ts';
import { isSoundSnapshot } from '../../src/core/state/snapshot-schema.ts';
import type { RunState } from '../../src/core/state/state.ts';
import type { WorkspaceFacts } from '../../src/core/event/verification.ts';
import type { Activity } from '../../src/core/attempt/activity.ts';
import type { ActivityEnd } from '../../src/engine/engine.ts';
import { localEngine } from '../../src/engine/local/local-engine.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { planEvents } from '../../src/scheduler/begin/plan-events.ts';
import { reconcile } from '../../src/scheduler/reconcile.ts';
import { commitFirst, commitQueue } from '../../src/ledger/commit-queue.ts';
import type { LookAtDisk } from '../../src/run-work/room-space.ts';
import { runLoop } from '../../src/scheduler/run-loop.ts';
import { afterEachRound } from '../support/after-each-round.ts';
import { type Branch, brokenBranch, newBranch } from './branch.ts';
import { brokenInvariants } from './invariants.ts';
import { answerSome, disturb, forgetful, resumeSomehow, watch } from './people.ts';
import { performIn, randomTrouble, type Trouble } from './perform-in.ts';
import { randomPlan } from './random-plan.ts';
import { type Random, randomOf } from './random.ts';
import { stepsIn, type UnderWay, workspaceIn } from './steps-in.ts';
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
/** So many more it may take then. */
const most = patience * 3;
/** Events in the kind world, for each task there is by then: whatever waits to be done, it is not for ever. */
const mostEvents = { atAll: 120, forEach: 25 };

export interface Simulation {
  readonly random: Random;
  readonly world: World;
  readonly plan: Plan;
  readonly settings: {
    readonly concurrency: number;
    readonly gated: boolean;
    readonly mode: 'default' | 'auto';
    readonly reviews?: 'off';
  };
  readonly trouble: Trouble;
  /** Absent where work is not verified or merged. */
  readonly workspace: WorkspaceFacts | undefined;
  /** Whether a person has seen the plan. */
  readonly isConfirmed: boolean;
  readonly branch: Branch;
  /** Absent where no one looks at the disk. */
  readonly disk: LookAtDisk | undefined;
  /** What is durable. */
  readonly store: string[];
  readonly broken: string[];
  /** Work that is really running, by delegation. */
  readonly performing: Map<string, PlannedTask>;
  /** Delegations that have said all they had to say. */
  readonly said: Map<string, ActivityEnd>;
  /** Where in the store the world turned kind. */
  kindSince: number | undefined;
  names: number;
  token: number;
  incarnations: number;
  crashes: number;
}

const tick = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** `hasFullDisks`: the disk is full at times, for seconds or for hours. */
export async function simulate(seed: number, { hasFullDisks = false } = {}): Promise<Simulated> {
  const random = randomOf(seed);
  const gated = random.chance(0.85);
  const sim: Simulation = {
    random,
    plan: randomPlan(random),
    world: newWorld(),
    settings: {
      concurrency: 1 + random.below(5),
      gated,
      mode: random.chance(0.25) ? 'auto' : 'default',
      ...(random.chance(0.15) ? { reviews: 'off' } : {}),
    },
    trouble: randomTrouble(random),
    workspace: random.chance(gated ? 0.85 : 0.3) ? workspaceIn({ random }) : undefined,
    isConfirmed: random.chance(0.8),
    branch: newBranch(),
    disk: hasFullDisks ? diskOf(seed) : undefined,
    store: [],
    broken: [],
    performing: new Map(),
    said: new Map(),
    kindSince: undefined,
    names: 0,
    token: 0,
    incarnations: 0,
    crashes: 0,
  };
  for (let again = true; again;) {
    sim.incarnations += 1;
    if (sim.incarnations > patience) sim.kindSince ??= sim.store.length;
    const status = await drive(sim, live(sim));
    const kind = sim.incarnations > patience;
    again = status === 'crashed' || status === 'paused';
    if (!again && !kind) again = random.chance(status === 'completed' ? 0.1 : 0.3);
    if (sim.incarnations > most) {
      sim.broken.push(`does not end: ${status}`);
      again = false;
    }
  }
  const events = stored(sim);
  sim.broken.push(...brokenInvariants(events), ...brokenBranch(sim.branch, events));
  checkBound(sim, events);
  return { events, broken: sim.broken, incarnations: sim.incarnations, crashes: sim.crashes };
}

/** Numbers of its own: other worlds stay as they are. */
function diskOf(seed: number): LookAtDisk {
  const random = randomOf(seed + 1_000_003);
  const lasts = random.pick([0.3, 0.01, 0.001]);
  let isFull = false;
  return () => {
    if (random.chance(isFull ? lasts : 0.05)) isFull = !isFull;
    return { free: isFull ? 1 : 3, needs: 2 };
  };
}

function checkBound({ kindSince, broken }: Simulation, events: readonly RunEvent[]): void {
  if (kindSince === undefined) return;
  const tasks = fold(events)?.tasks.size ?? 0;
  const taken = events.length - kindSince;
  if (taken > mostEvents.atAll + mostEvents.forEach * tasks) broken.push(`${taken} events for ${tasks} tasks`);
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
  const kind = sim.kindSince !== undefined;
  // Whatever an earlier incarnation had running is reaped before anything else.
  sim.performing.clear();

  let die: () => void = () => undefined;
  const death = new Promise<'crashed'>((resolve) => {
    die = () => {
      sim.crashes += 1;
      // A zombie continues until the ledger refuses it; a dead one stops here.
      if (random.chance(0.7)) world.kill(owner);
      resolve('crashed');
    };
  });
  const append = (events: readonly RunEvent[]): number => {
    if (sim.token !== token) throw new Fenced();
    if (!kind && random.chance(0.03)) throw new Crash('before the commit');
    sim.store.push(...events.map((event) => JSON.stringify(checkEvent(event))));
    if (!kind && random.chance(0.03)) throw new Crash('after the commit');
    return sim.store.length;
  };

  const work = async (): Promise<string> => {
    try {
      const committing = { lease: { append }, clock };
      if (sim.store.length === 0) commitFirst(firstEvents(sim), committing);
      const state = fold(stored(sim)) as RunState;
      const commits = commitQueue(state, committing);
      const record = (...events: NewEvent[]): void => commits.commit(events);
      const found = await reconcile(state, async (activity) => recovered(sim, activity));
      if (found.length > 0) record(...found);
      answerSome(sim, state, record, kind);
      const start = resumeSomehow(sim, state, record, kind);
      if (start === undefined) return state.status;
      record({ kind: 'run.started', command: `incarnation ${token}`, ...start });
      const underWay: UnderWay = new Map();
      const local = localEngine({
        perform: performIn(sim, token, owner, kind),
        performStep: stepsIn(sim, token, owner, kind, underWay),
        clock,
        gather: async () => (random.chance(0.5) ? tick() : undefined),
      });
      if (!kind) disturb(sim, owner, local, state, die);
      const asked = new Set<string>();
      await runLoop(state, {
        engine: forgetful(sim, local),
        clock,
        newDelegation: () => newDelegationId(new Date(clock.now()), random.next),
        commits: afterEachRound(commits, () => watch(sim, owner, local, state, asked, kind)),
        grace: 500,
        ...defined({ disk: kind && sim.disk !== undefined ? () => undefined : sim.disk }),
        atCheckpoint: kind || random.chance(0.5) ? 'wait' : 'pause',
      });
      if (underWay.size > 0) sim.broken.push(`left while ${[...underWay.keys()].join(', ')} was under way`);
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
  // A zombie's late end is ignored, but its faults are not.
  working.catch((error: unknown) => sim.broken.push(`a replaced orchestrator failed: ${String(error)}`));
  return first;
}

/** What had been said in full may be found again. */
function recovered({ said, random, workspace }: Simulation, { key, room }: Activity): ActivityEnd | undefined {
  if (workspace !== undefined && room === undefined) return undefined;
  const ended = said.get(key);
  if (ended?.end !== 'returned' || random.chance(0.2)) return undefined;
  return { end: 'returned', outcome: { ...ended.outcome, degraded: ['recovered'] } };
}

function firstEvents({ random, plan, settings, workspace, isConfirmed }: Simulation): NewEvent[] {
  return planEvents({
    run: newRunId(new Date(0), random.next),
    file: 'plan.md',
    hash: '',
    plan,
    settings: { ...settings, driver: 'simulated', deadlines: {}, budgets: plan.settings.budgets },
    isConfirmed,
    ...defined({ workspace }),
  });
}

/** The state a run has lived through is the state its ledger gives. */
function compareWithReplay(sim: Simulation, state: RunState): void {
  const replayed = fold(stored(sim));
  if (!isDeepStrictEqual(replayed, state)) sim.broken.push('the replayed state differs from the one that was lived');
  // Of a plan that was changed nothing is kept.
  if (state.amendments > 0) return;
  const text = writeSnapshot(state);
  const restored = fold(stored(sim).filter(({ kind }) => kind === 'run.created' || kind === 'wave.planned'));
  if (text !== undefined && !isSoundSnapshot(text)) sim.broken.push('the kept state is not what its schema says');
  if (text === undefined || restored === undefined || !restoreSnapshot(restored, text))
    sim.broken.push('the state at rest could not be kept');
  else if (!isDeepStrictEqual(restored, state)) sim.broken.push('the kept state differs from the one that was lived');
}
