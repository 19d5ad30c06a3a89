/** The loop performs each step once, starts none while it stops, and repeats unfinished ones when the run resumes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { baseCheckOf, createdRunOf, verificationOf, workspaceFacts } from '../../tests/support/settling.ts';
import { createdRun, happen, outcomeOf, planOf } from '../../tests/support/state-of.ts';
import { afterEachRound } from '../../tests/support/after-each-round.ts';
import { delegationIds } from '../base/ids.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { CheckStep, Step } from '../core/decide/steps.ts';
import type { CommandRun } from '../core/event/verification.ts';
import type { Happening, StepEvent, StopKind } from '../engine/engine.ts';
import { type LocalEngine, localEngine, type Perform, type PerformStep } from '../engine/local/local-engine.ts';
import { commitQueue } from '../ledger/commit-queue.ts';
import { runLoop } from './run-loop.ts';
import { systemClock } from '../engine/clock.ts';

const works: Perform = async ({ registered, task }, _signal, note) => {
  const { delegation, deadline } = registered;
  note({
    kind: 'workspace.opened',
    delegation,
    deadline,
    room: { folder: 'f', branch: `divisi-task/run/${task.id}`, base: 'ba5e' },
  });
  const verdict = { verdict: { priority: 'LOW', action: 'on' } } as const;
  return { end: 'returned', outcome: outcomeOf('completed', task.agent === 'worker' ? {} : verdict) };
};

function held({ commands }: CheckStep): CommandRun[] {
  return commands.map(({ argv, from }) => ({ argv: [...argv], from, ok: true, end: 'exit code 0', milliseconds: 1 }));
}

const unbroken = { merged: 1, drifted: [], verified: [], stale: [] };

function taken(step: Step): StepEvent {
  switch (step.purpose) {
    case 'canary': {
      const { base, updates, command } = step;
      return { kind: 'base.checked', base, updates, check: baseCheckOf(command) };
    }
    case 'verify': {
      const verification = verificationOf({ commit: `work-${step.task.id}` });
      return { kind: 'task.verified', task: step.task.id, delegation: step.delegation, verification };
    }
    case 'merge':
      return { kind: 'task.merged', task: step.task.id, delegation: step.delegation, commit: `m-${step.task.id}` };
    case 'check':
      return { kind: 'gate.checked', gate: step.gate, wave: step.wave, commit: step.commit, commands: held(step) };
    case 'update':
      return { kind: 'workspace.updated', update: step.requested.update, head: 'updated', ...unbroken };
    case 'postflight':
      return { kind: 'postflight.done', fact: step.fact, done: true, note: '' };
    default:
      return step satisfies never;
  }
}

interface Options {
  readonly performStep?: PerformStep;
  readonly grace?: number;
  readonly atCheckpoint?: 'wait' | 'pause';
  readonly during?: (engine: LocalEngine, last: readonly RunEvent[]) => void;
}

interface Looped {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly steps: readonly string[];
}

const newRun = (): RunState => createdRunOf([[{ id: '1.1' }]], { concurrency: 1 });

async function loop(
  state: RunState,
  { performStep, grace = 0, during, atCheckpoint = 'pause' }: Options = {},
): Promise<Looped> {
  happen(state, { kind: 'run.started', command: 'x' });
  const events: RunEvent[] = [];
  const steps: string[] = [];
  const engine = localEngine({
    perform: works,
    performStep: async (step, signal) => {
      steps.push(step.purpose);
      return performStep === undefined ? taken(step) : performStep(step, signal);
    },
    clock: systemClock,
  });
  let seen = 0;
  const lease = { append: (all: readonly RunEvent[]) => events.push(...all) };
  const commits = commitQueue(state, { lease, clock: systemClock });
  await runLoop(state, {
    engine,
    clock: systemClock,
    newDelegation: delegationIds(systemClock, Math.random),
    commits: afterEachRound(commits, () => during?.(engine, events.slice(seen, (seen = events.length)))),
    grace,
    atCheckpoint,
  });
  return { state, events, steps };
}

const kindsOf = ({ events }: Looped): string[] =>
  events.flatMap(({ kind }) => (kind.startsWith('task.') || kind.startsWith('merge.') ? [kind] : []));

/** Tells it to stop as soon as a step of this purpose has begun, and ends the step in its own way. */
function stopped(
  purpose: Step['purpose'],
  how: StopKind,
  then: PerformStep,
): Options & { during: NonNullable<Options['during']> } {
  let engine: LocalEngine | undefined;
  return {
    during: (given) => {
      engine = given;
    },
    performStep: async (step, signal) => {
      if (step.purpose !== purpose) return taken(step);
      engine?.deliver({ kind: 'stop', how });
      return then(step, signal);
    },
  };
}

const untilAborted: PerformStep = async (_step, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });

describe('a step', () => {
  it('is taken once, although the core asks for it until it is done', async () => {
    const looped = await loop(newRun(), {
      performStep: async (step) => {
        await sleep(5);
        return taken(step);
      },
      // Something happens all the time, and each time it is decided again.
      during: (engine) => engine.deliver({ kind: 'time', time: 0 }),
    });
    expect([looped.state.status, looped.steps]).toEqual(['completed', ['verify', 'merge']]);
    expect(kindsOf(looped).slice(0, 4)).toEqual(['task.verified', 'merge.started', 'task.merged', 'task.settled']);
  });

  it('begins after the event that decides it is durable', async () => {
    const seen: RunEvent[] = [];
    await loop(newRun(), {
      during: (_engine, last) => seen.push(...last),
      performStep: async (step) => {
        const before = step.purpose === 'merge' ? 'merge.started' : 'delegation.ended';
        expect(seen.map(({ kind }) => kind)).toContain(before);
        return taken(step);
      },
    });
    expect(seen.at(-1)).toMatchObject({ kind: 'run.ended', status: 'completed' });
  });

  it('that is reported twice is recorded once', async () => {
    const state = newRun();
    let told = 0;
    const looped = await loop(state, {
      during: (engine, last) => {
        for (const event of last) {
          if (event.kind !== 'task.verified' && event.kind !== 'task.merged') continue;
          told += 1;
          const key = `${event.delegation}:${event.kind === 'task.verified' ? 'verify' : 'merge'}`;
          engine.deliver({ kind: 'stepped', key, event });
        }
      },
    });
    expect([told, looped.state.status]).toEqual([2, 'completed']);
    expect(kindsOf(looped).filter((kind) => kind === 'task.verified' || kind === 'task.merged').length).toBe(2);
  });

  it('that is told again when the same is in progress once more says nothing about that', async () => {
    const state = createdRunOf([[{ id: '1.1' }]], { workspace: { accept: [['npm', 'test']] } });
    let engine: LocalEngine | undefined;
    let first: Happening | undefined;
    const looped = await loop(state, {
      during: (given) => {
        engine = given;
      },
      performStep: async (step) => {
        if (step.purpose === 'verify' && step.role === 'fix') {
          // It changes nothing: the branch stays where it is.
          const { delegation, task } = step;
          return { kind: 'task.verified', task: task.id, delegation, verification: verificationOf() };
        }
        if (step.purpose !== 'check') return taken(step);
        const { key, gate, wave, commit } = step;
        if (first === undefined) {
          const ran = {
            argv: ['npm', 'test'],
            from: 'config',
            ok: false,
            end: 'exit code 1',
            milliseconds: 1,
          } as const;
          const event: StepEvent = {
            kind: 'gate.checked',
            gate,
            wave,
            commit,
            commands: [{ ...ran, argv: [...ran.argv] }],
          };
          first = { kind: 'stepped', key, event };
          return event;
        }
        engine?.deliver(first);
        await sleep(10);
        return taken(step);
      },
    });
    const checks = looped.events.flatMap((event) => (event.kind === 'gate.checked' ? [event.commands.length] : []));
    // The second one has held; with the first once more there would be another fix.
    expect([looped.state.status, checks, looped.state.gates.get('wave-1')?.fixes]).toEqual(['completed', [1, 1], 1]);
  });

  it('that was not asked for is dropped', async () => {
    let told = false;
    const looped = await loop(newRun(), {
      during: (engine, last) => {
        const found = last.find((event) => event.kind === 'delegation.registered');
        if (told || found?.kind !== 'delegation.registered') return;
        told = true;
        const { task, delegation } = found;
        const event = { kind: 'task.merged', task, delegation, commit: 'nobody' } as const;
        engine.deliver({ kind: 'stepped', key: `${delegation}:merge`, event });
        engine.deliver({ kind: 'interrupted', key: `${delegation}:merge` });
      },
    });
    expect([told, looped.state.status, looped.state.head]).toEqual([true, 'completed', 'm-1.1']);
  });

  it('that throws ends the loop, and nothing of it is on record', async () => {
    const state = newRun();
    const failing: PerformStep = async () => {
      throw new Error('a broken invariant');
    };
    await expect(loop(state, { performStep: failing })).rejects.toThrow('a broken invariant');
    expect(state.tasks.get('1.1')?.progress.status).toBe('verifying');
  });
});

it('a step is not left in progress by a run that ends on a person’s no', async () => {
  const plan = planOf([[{ id: '1.1' }]], { settings: { budgets: { delegations: 1 } } });
  const state = createdRun(plan, 1, true, { workspace: { ...workspaceFacts, accept: [['npm', 'test']] } });
  const task = { title: 'New', description: 'New', after: [], scope: [], accept: [], agent: 'worker', done: false };
  const amendments = [{ kind: 'add' as const, wave: 1, at: 1, task: { ...task, id: '1.2', tier: 'fast' as const } }];
  const edit = { file: 'plan.md', hash: 'h2', amendments, toConfirm: [], conflicts: [] };
  const ends: string[] = [];
  let engine: LocalEngine | undefined;
  const looped = await loop(state, {
    during: (given, last) => {
      engine = given;
      // Nothing is left of the budget for the task that has just come.
      if (last.some(({ kind }) => kind === 'checkpoint.opened'))
        given.deliver({ kind: 'answered', key: 'checkpoint-1', approved: false });
    },
    performStep: async (step, signal) => {
      if (step.purpose !== 'check') return taken(step);
      engine?.deliver({ kind: 'edited', edit });
      await untilAborted(step, signal);
      ends.push(String(signal.reason));
      return undefined;
    },
    atCheckpoint: 'wait',
  });
  expect([looped.state.status, ends]).toEqual(['cancelled', ['gently']]);
});

describe('a stop', () => {
  it.each(['pause', 'at-once'] as const)('%s interrupts a verification, which is taken again', async (how) => {
    const first = await loop(newRun(), stopped('verify', how, untilAborted));
    expect([first.state.status, first.steps]).toEqual(['paused', ['verify']]);
    expect(first.state.tasks.get('1.1')?.progress.status).toBe('verifying');
    const second = await loop(first.state);
    expect([second.state.status, second.steps]).toEqual(['completed', ['verify', 'merge']]);
    expect(second.state.tasks.get('1.1')?.attempts).toBe(1);
  });

  it('takes what a step brings that was done anyway, and begins no other', async () => {
    const late: PerformStep = async (step, signal) => {
      await untilAborted(step, signal);
      return taken(step);
    };
    const verified = await loop(newRun(), stopped('verify', 'at-once', late));
    expect([kindsOf(verified), verified.state.merge]).toEqual([['task.verified'], null]);
    const merged = await loop(newRun(), stopped('merge', 'at-once', late));
    expect([merged.state.status, merged.state.head, merged.state.tasks.get('1.1')?.progress.status]).toEqual([
      'paused',
      'm-1.1',
      'completed',
    ]);
  });

  it('of a merge leaves it begun: the same one is taken again', async () => {
    const first = await loop(newRun(), stopped('merge', 'at-once', untilAborted));
    expect([first.state.status, first.state.merge?.task, first.state.head]).toEqual(['paused', '1.1', null]);
    const second = await loop(first.state);
    expect([second.steps, kindsOf(second).slice(0, 2)]).toEqual([['merge'], ['task.merged', 'task.settled']]);
  });

  it('that cancels the run waits for what is in progress, and keeps it', async () => {
    const first = await loop(newRun(), stopped('verify', 'cancel', untilAborted));
    expect([first.state.status, first.state.index.settling.size]).toEqual(['cancelled', 1]);
    const second = await loop(first.state);
    expect([second.state.status, second.steps]).toEqual(['completed', ['verify', 'merge']]);
  });

  it('lets work continue for the grace period', async () => {
    const looped = await loop(newRun(), { ...stopped('verify', 'pause', async (step) => taken(step)), grace: 60_000 });
    expect([looped.state.status, looped.steps, looped.state.head]).toEqual(['paused', ['verify', 'merge'], 'm-1.1']);
    expect(looped.state.tasks.get('1.1')?.progress.status).toBe('completed');
  });
});
