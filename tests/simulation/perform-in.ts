/** Work in the simulated world: of uneven length, ending in every way, and noticing when it should never have begun. */
import { outcomeFrom } from '../../src/core/event/make-outcome.ts';
import type { CompletedOutcome, Failure } from '../../src/core/event/outcome.ts';
import { type FailureClass, failureClasses } from '../../src/gates/failure-policy.ts';
import type { Activity } from '../../src/core/attempt/activity.ts';
import type { ActivityEnd } from '../../src/engine/engine.ts';
import type { Perform } from '../../src/engine/local/local-engine.ts';
import { headOf } from './branch.ts';
import { scopesOverlap } from './model.ts';
import type { Random } from './random.ts';
import type { Simulation } from './simulate.ts';

const reviewers = new Set(['wave-reviewer', 'task-reviewer', 'auditor']);

export function performIn(sim: Simulation, token: number, owner: object, kind: boolean): Perform {
  const { random, world, performing } = sim;
  return async (activity: Activity, signal, note) => {
    const { key, task } = activity;
    if (sim.token !== token) sim.broken.push(`${task.id} was started by an orchestrator that had been replaced`);
    for (const other of performing.values()) {
      if (other.id === task.id) sim.broken.push(`${task.id} was performed twice at the same time`);
      else if (scopesOverlap(task.scope, other.scope))
        sim.broken.push(`${task.id} and ${other.id} worked in overlapping scopes`);
    }
    performing.set(key, task);
    const clock = world.clockOf(owner);
    const after = async (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        clock.after(milliseconds, resolve);
      });
    const { delegation } = activity.registered;
    if (sim.workspace !== undefined) {
      const { attempt } = activity.registered;
      const name = `${task.id}-${attempt}`;
      const room = {
        folder: `/rooms/${name}`,
        branch: `divisi-task/simulated/${name.replaceAll(':', '_')}`,
        base: headOf(sim.branch),
      };
      note({ kind: 'workspace.opened', delegation, room, deadline: activity.registered.deadline });
    }
    if (random.chance(0.5)) note({ kind: 'delegation.started', delegation, pid: 1 + random.below(1000) });
    if (random.chance(0.2)) note({ kind: 'return.refused', delegation, repair: 1, violations: ['x'] });
    await Promise.race([
      after(random.chance(0.2) ? 0 : random.below(random.chance(0.2) ? 10_000 : 300)),
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      }),
    ]);
    if (signal.aborted && random.chance(0.5)) await after(random.below(50));
    const ended =
      signal.aborted && random.chance(0.8)
        ? { end: 'cancelled' as const, outcome: outcomeFrom({ status: 'partial' }) }
        : endOf(random, reviewers.has(task.agent), kind, clock.now(), troubleOf(sim));
    performing.delete(key);
    sim.said.set(key, ended);
    if (random.chance(0.3)) await after(random.below(20));
    return ended;
  };
}

/** Only what is looked into afterwards is found wanting there. */
function troubleOf({ trouble, workspace }: Simulation): Trouble {
  if (workspace === undefined) return trouble;
  const classes = trouble.classes.filter((one) => one !== 'verification-failed' && one !== 'conflict');
  return { ...trouble, classes, chance: classes.length === 0 ? 0 : trouble.chance };
}

function endOf(random: Random, reviews: boolean, kind: boolean, now: number, trouble: Trouble): ActivityEnd {
  const usage = random.chance(0.7) ? { usage: { tokens: random.below(400), cost: random.next() } } : {};
  if (kind || !random.chance(trouble.chance)) {
    const verdict = reviews ? verdictOf(random, kind) : kind ? {} : ownVerdict(random);
    return { end: 'returned', outcome: outcomeFrom({ ...usage, ...verdict }) };
  }
  const failure = failureOf(random, now, trouble);
  const status = failure.class === 'timeout' || failure.class === 'lost' ? 'partial' : 'failed';
  // An agent that gives no reason has failed anyway.
  const why = random.chance(0.1) && failure.class === 'agent-error' ? {} : { failure };
  const end = failure.class === 'timeout' ? 'timed-out' : failure.class === 'lost' ? 'lost' : 'returned';
  // Only work that left something can be accepted as it is.
  const left = failure.class === 'contract-violation' && random.chance(0.7) ? { report: 'said.md' } : {};
  return { end, outcome: outcomeFrom({ status, ...usage, ...left, ...why }) };
}

function verdictOf(random: Random, kind: boolean): Pick<CompletedOutcome, 'verdict'> {
  if (!kind && random.chance(0.1)) return {};
  const priority = random.pick(kind ? (['LOW', 'LOW', 'MED'] as const) : (['HIGH', 'HIGH', 'MED', 'LOW'] as const));
  return { verdict: { priority, action: `look ${random.below(100)}` } };
}

/** Some work judges itself by its contract. */
function ownVerdict(random: Random): Pick<CompletedOutcome, 'structuredResult'> {
  if (!random.chance(0.1)) return {};
  const action = random.pick(['fix', 'defer', 'review', 'halt', 'proceed'] as const);
  return { structuredResult: { action, notes: ['look'], artifacts: [], fields: {} } };
}

/** How likely a piece of work is to fail, and how. */
export interface Trouble {
  readonly chance: number;
  readonly classes: readonly FailureClass[];
  readonly messages: readonly string[];
}

/** Few ways, so that some failures are equal to others; in some worlds all of them are. */
export function randomTrouble(random: Random): Trouble {
  if (random.chance(0.15)) {
    const only = random.pick<FailureClass>(['agent-error', 'verification-failed', 'environment', 'quota', 'lost']);
    return { chance: 0.6, classes: [only], messages: ['nothing works'] };
  }
  const classes = [
    ...failureClasses.filter((one) => one !== 'cancelled' && one !== 'limit' && one !== 'steering'),
    'agent-error',
    'agent-error',
  ] as const;
  return { chance: random.pick([0.05, 0.15, 0.15, 0.4]), classes, messages: ['line 1 is wrong', 'nothing works'] };
}

/** Numbers make no difference to whether two are equal. */
function failureOf(random: Random, now: number, { classes, messages }: Trouble): Failure {
  const failure = random.pick(classes);
  const message = random.pick(messages).replace('1', String(random.below(50)));
  if (failure !== 'quota' || random.chance(0.5)) return { class: failure, message };
  return { class: failure, message, until: now + random.below(9000) };
}
