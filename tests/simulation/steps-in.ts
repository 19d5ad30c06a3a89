/** Verifying, merging and checking in the simulated world: they take time, fail, are interrupted, and are done again. */
import { defined } from '../../src/base/defined.ts';
import type { AcceptCommand } from '../../src/core/decide/accept-commands.ts';
import type { BaseCheck } from '../../src/core/event/base-check.ts';
import type { CanaryStep, CheckStep, Step, VerifyStep } from '../../src/core/decide/steps.ts';
import type { EventOf, RunEvent } from '../../src/core/event/event.ts';
import type { CommandRun, Verification, WorkspaceFacts } from '../../src/core/event/verification.ts';
import type { StepEvent } from '../../src/engine/engine.ts';
import type { PerformStep } from '../../src/engine/local/local-engine.ts';
import type { FailureClass } from '../../src/gates/failure-policy.ts';
import { baseCheckOf } from '../support/settling.ts';
import { base, leftBy, type Merging, mergeInto, updateFrom } from './branch.ts';
import type { Simulation } from './simulate.ts';

export function workspaceIn({ random }: Pick<Simulation, 'random'>): WorkspaceFacts {
  return {
    kind: random.pick(['git', 'copy']),
    base,
    branch: 'divisi/simulated',
    identity: { name: 'Divisi', email: 'divisi@localhost' },
    uncommitted: 0,
    prefix: '',
    setup: [],
    link: [],
    copy: [],
    accept: random.chance(0.45) ? [['npm', 'test']] : [],
    forbidden: [],
    environment: [],
    timeout: 600,
  };
}

/** Steps that this incarnation has begun and not ended, by key. */
export type UnderWay = Map<string, Step['purpose']>;

export function stepsIn(sim: Simulation, token: number, owner: object, kind: boolean, underWay: UnderWay): PerformStep {
  const { random, world } = sim;
  const clock = world.clockOf(owner);
  const after = async (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      clock.after(milliseconds, resolve);
    });
  return async (step, signal) => {
    const { key, purpose } = step;
    if (sim.token !== token) sim.broken.push(`${key} was begun by an orchestrator that had been replaced`);
    if (underWay.has(key)) sim.broken.push(`${key} was begun twice`);
    const movesBranch = (one: Step['purpose']): boolean => one === 'merge' || one === 'update';
    if (movesBranch(purpose) && [...underWay.values()].some(movesBranch)) sim.broken.push(`${key} did not wait`);
    underWay.set(key, purpose);
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
    });
    try {
      await Promise.race([after(random.chance(0.3) ? 0 : random.below(random.chance(0.1) ? 5000 : 200)), aborted]);
      if (signal.aborted && random.chance(0.7)) return undefined;
      const event = eventOf(sim, step, kind, sim.token !== token);
      // Done, and not said yet.
      if (random.chance(0.5)) await after(random.below(300));
      return signal.aborted && random.chance(0.5) ? undefined : event;
    } finally {
      underWay.delete(key);
    }
  };
}

function eventOf(sim: Simulation, step: Step, kind: boolean, isLate: boolean): StepEvent {
  switch (step.purpose) {
    case 'canary':
      return { kind: 'base.checked', base: step.base, updates: step.updates, check: canaryOf(sim, step, kind) };
    case 'verify': {
      const { task, delegation } = step;
      return { kind: 'task.verified', task: task.id, delegation, verification: verificationOf(sim, step, kind) };
    }
    case 'merge': {
      const { task, delegation } = step;
      const merged = mergeInto(sim.branch, step, isLate, {
        conflicts: () => !kind && isTroubled(sim, 'conflict'),
        refuses: () => (!kind && isTroubled(sim, 'environment') ? messageOf(sim) : undefined),
      });
      return { task: task.id, delegation, ...mergeEvent(merged) };
    }
    case 'check':
      return checkEvent(sim, step, kind);
    case 'update':
      return updateEvent(sim, step.requested, kind, isLate);
    case 'postflight':
      return { kind: 'postflight.done', fact: step.fact, done: true, note: '' };
    default:
      return step satisfies never;
  }
}

export function updateEvent(
  sim: Simulation,
  { update, commit }: EventOf<'update.requested'>,
  kind: boolean,
  isLate = false,
): Extract<StepEvent, { kind: 'workspace.updated' | 'update.refused' }> {
  const nothing = { merged: 0, drifted: [], verified: [], stale: [] };
  if (commit === undefined) return { kind: 'workspace.updated', update, ...nothing };
  const made = updateFrom(sim.branch, update, isLate, () => !kind && sim.random.chance(0.2));
  if (made === undefined) return { kind: 'update.refused', update, why: 'conflict', files: ['src/a/one.ts'] };
  const stale = staleIn(sim).map((task) => ({ task, why: `broken by ${update}` }));
  return { kind: 'workspace.updated', update, ...nothing, head: made.commit, stale };
}

/** Some of the work that is done, as the ledger knows it. */
function staleIn({ random, store }: Simulation): string[] {
  if (!random.chance(0.5)) return [];
  const done = new Set<string>();
  for (const line of store) {
    const event = JSON.parse(line) as RunEvent;
    if (event.kind === 'task.settled' && event.status === 'completed' && !event.task.includes(':'))
      done.add(event.task);
    if (event.kind === 'work.reopened') for (const task of event.tasks) done.delete(task);
  }
  return [...done].filter(() => random.chance(0.3));
}

function mergeEvent(merged: Merging): { kind: 'task.merged'; commit: string } | Conflicted {
  if ('commit' in merged) return { kind: 'task.merged', commit: merged.commit };
  if ('branch' in merged) return { kind: 'task.conflicted', onto: '', conflicts: [], branch: merged.branch };
  const conflicts = [{ path: 'src/a/one.ts', why: 'both changed it', merged: 'theirs', own: 'ours' }];
  return { kind: 'task.conflicted', onto: merged.onto, conflicts };
}

type Conflicted = Pick<Extract<StepEvent, { kind: 'task.conflicted' }>, 'kind' | 'onto' | 'conflicts' | 'branch'>;

function isTroubled({ random, trouble }: Simulation, failure: FailureClass): boolean {
  return trouble.classes.includes(failure) && random.chance(trouble.chance);
}

function messageOf({ random, trouble }: Simulation): string {
  return random.pick(trouble.messages).replace('1', String(random.below(50)));
}

function ranOf(sim: Simulation, command: AcceptCommand, isGood: boolean): CommandRun {
  const isRed = isGood && isStillRed(sim, command);
  const ok = isGood && !isRed;
  const { argv, from } = command;
  const ran = { argv: [...argv], from, ok, end: ok ? 'exit code 0' : 'exit code 1', milliseconds: 1 };
  return isRed ? { ...ran, note: 'known-red' } : ran;
}

/** In the kind world nothing is red that was not before. */
function canaryOf({ random }: Simulation, { command }: CanaryStep, kind: boolean): BaseCheck {
  const result = kind ? 'green' : random.pick(['green', 'red', 'red', 'environment', 'unknown'] as const);
  return baseCheckOf(command, { result, ...(result === 'green' ? {} : { end: 'exit code 1' }) });
}

/** What is known to be red may fail on any work. */
function isStillRed({ random }: Simulation, { isKnownRed }: AcceptCommand): boolean {
  return isKnownRed === true && random.chance(0.7);
}

function verificationOf(sim: Simulation, step: VerifyStep, kind: boolean): Verification {
  const { random, branch } = sim;
  const commit = leftBy(branch, step.delegation, random);
  const isRejected = !kind && isTroubled(sim, 'verification-failed');
  const failing = isRejected && random.chance(0.5) ? random.below(step.commands.length + 1) : Infinity;
  const fact = messageOf(sim);
  const verdict = isRejected ? 'rejected' : random.chance(0.2) ? 'degraded' : 'verified';
  const finding = { kind: 'empty-diff', rejects: isRejected, fact, paths: [] } as const;
  const changes = commit === undefined ? [] : [{ path: 'src/a/one.ts', change: 'edited', blob: 'b' } as const];
  return {
    verdict,
    base: step.room.base,
    ...defined({ commit }),
    changes,
    changed: changes.length,
    linesAdded: 1,
    linesDeleted: 0,
    findings: verdict === 'verified' ? [] : [{ ...finding, paths: [] }],
    commands: step.commands.slice(0, failing + 1).map((command, at) => ranOf(sim, command, at !== failing)),
    milliseconds: 1,
  };
}

function checkEvent(sim: Simulation, { gate, wave, commit, commands }: CheckStep, kind: boolean): StepEvent {
  const fails = !kind && sim.random.chance(0.3) ? sim.random.below(commands.length) : Infinity;
  return {
    kind: 'gate.checked',
    gate,
    wave,
    commit,
    commands: commands.map((one, at) => ranOf(sim, one, at !== fails)),
  };
}
