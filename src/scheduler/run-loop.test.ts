import { describe, expect, it } from 'vitest';
import { afterEachRound } from '../../tests/support/after-each-round.ts';
import { createdRun, happen, outcomeOf, planOf } from '../../tests/support/state-of.ts';
import { delegationIds } from '../base/ids.ts';
import type { RunEvent } from '../core/event/event.ts';
import type { RunState } from '../core/state/state.ts';
import type { Happening } from '../engine/engine.ts';
import { type LocalEngine, localEngine, type Perform } from '../engine/local/local-engine.ts';
import { commitQueue } from '../ledger/commit-queue.ts';
import { type LoopDeps, runLoop } from './run-loop.ts';
import { systemClock } from '../engine/clock.ts';

interface Looped {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly started: readonly string[];
}

const completes: Perform = async () => ({ end: 'returned', outcome: outcomeOf('completed') });

interface LoopOptions extends Partial<Omit<LoopDeps, 'before'>> {
  readonly append?: (events: readonly RunEvent[]) => void;
  readonly perform?: Perform;
  readonly before?: Happening[];
  readonly gated?: boolean;
}

async function loop(
  { perform = completes, before = [], gated = false, append, ...more }: LoopOptions,
  during: (engine: LocalEngine, events: readonly RunEvent[]) => void = () => undefined,
): Promise<Looped> {
  const plan = planOf([[{ id: '1.1' }, { id: '1.2' }]]);
  const state = happen(createdRun(plan, 1, gated), { kind: 'run.started', command: 'x' });
  const events: RunEvent[] = [];
  const started: string[] = [];
  const engine = localEngine({
    perform: async (activity, signal, note) => {
      // What is performed is on record before it begins.
      expect(events.map((event) => 'delegation' in event && event.delegation)).toContain(activity.key);
      started.push(activity.task.id);
      return perform(activity, signal, note);
    },
    clock: systemClock,
  });
  const lease = {
    append(all: readonly RunEvent[]) {
      append?.(all);
      return events.push(...all);
    },
  };
  const commits = commitQueue(state, { lease, clock: systemClock });
  await runLoop(state, {
    engine,
    before: () => before,
    clock: systemClock,
    newDelegation: delegationIds(systemClock, Math.random),
    commits: afterEachRound(commits, () => during(engine, events)),
    grace: 0,
    atCheckpoint: 'pause',
    ...more,
  });
  return { state, events, started };
}

describe('the loop', () => {
  it('starts nothing after a stop that came before it', async () => {
    for (const how of ['pause', 'at-once'] as const) {
      const { state, started } = await loop({ before: [{ kind: 'stop', how }] });
      expect([state.status, started]).toEqual(['paused', []]);
    }
    expect((await loop({ before: [{ kind: 'stop', how: 'cancel' }] })).state.status).toBe('cancelled');
  });

  it('lets what runs end and begins nothing new once it is to pause', async () => {
    let told = false;
    const { state, started } = await loop({ grace: 60_000 }, (engine, events) => {
      if (told || !events.some(({ kind }) => kind === 'delegation.registered')) return;
      told = true;
      engine.deliver({ kind: 'stop', how: 'pause' });
    });
    expect([state.status, started]).toEqual(['paused', ['1.1']]);
    expect(state.tasks.get('1.1')?.progress.status).toBe('completed');
  });

  it('ends with the commit that fails, and has then started nothing that was not on record', async () => {
    let commits = 0;
    const started: string[] = [];
    const append = (): void => {
      commits += 1;
      throw new Error('no room');
    };
    const perform: Perform = async ({ task }) => {
      started.push(task.id);
      return { end: 'returned', outcome: outcomeOf('completed') };
    };
    await expect(loop({ append, perform })).rejects.toThrow('no room');
    expect([commits, started]).toEqual([1, []]);
  });

  it('drops an end that comes twice', async () => {
    const twice: Happening[] = [];
    const { events, state } = await loop({}, (engine, all) => {
      for (const event of all) {
        if (event.kind !== 'delegation.registered' || twice.length > 0) continue;
        twice.push({ kind: 'ended', key: event.delegation, end: 'returned', outcome: outcomeOf('failed') });
        for (const end of twice) engine.deliver(end);
      }
    });
    const ends = events.filter((event) => event.kind === 'delegation.ended' && event.task === '1.1');
    expect(ends.length).toBe(1);
    expect(state.active.size).toBe(0);
  });
});

/** Calls once, when an event of this kind is durable. */
function once(
  kind: RunEvent['kind'],
  then: (engine: LocalEngine) => void,
): (engine: LocalEngine, all: readonly RunEvent[]) => void {
  let done = false;
  return (engine, all) => {
    if (done || !all.some((event) => event.kind === kind)) return;
    done = true;
    then(engine);
  };
}

describe('an edit of the plan while the run is running', () => {
  const task = {
    id: '1.3',
    title: 'New',
    description: 'New',
    after: [],
    scope: [],
    accept: [],
    tier: 'fast' as const,
    agent: 'worker',
    done: false,
  };
  const edit = { file: 'plan.md', hash: 'h2', amendments: [], toConfirm: [], conflicts: [] };

  it('is applied, and its conflicts are recorded', async () => {
    const gone = { kind: 'remove' as const, task: '1.1' };
    const edited = {
      ...edit,
      amendments: [{ kind: 'add' as const, wave: 1, at: 0, task }, gone],
      conflicts: ['line 7'],
    };
    const { events, started, state } = await loop(
      {},
      once('delegation.registered', (engine) => engine.deliver({ kind: 'edited', edit: edited })),
    );
    const amended = events.filter(({ kind }) => kind === 'plan.amended' || kind === 'plan.changed');
    expect(amended).toMatchObject([
      { kind: 'plan.changed', hash: 'h2', conflicts: ['line 7', '1.1 is running; it stays in this run'] },
      { kind: 'plan.amended', amendments: [{ kind: 'add' }] },
    ]);
    expect([started, state.status]).toEqual([['1.1', '1.3', '1.2'], 'completed']);
  });

  it.each([
    [true, ['1.1']],
    [false, ['1.1', '1.2']],
  ])('that ticks a task holds it until a person has answered: %s', async (approved, expected) => {
    const edited = { ...edit, toConfirm: [{ kind: 'tick' as const, task: '1.2' }] };
    const asks = once('delegation.registered', (engine) => engine.deliver({ kind: 'edited', edit: edited }));
    const answers = once('task.settled', (engine) => {
      // Nothing else is running by now: only the answer can be what is waited for.
      setTimeout(() => engine.deliver({ kind: 'answered', key: 'checkpoint-1', approved, note: 'I looked' }), 20);
    });
    const { events, started, state } = await loop({ atCheckpoint: 'wait' }, (engine, all) => {
      asks(engine, all);
      answers(engine, all);
    });
    expect([started, state.status]).toEqual([expected, 'completed']);
    const answered = events.find(({ kind }) => kind === 'checkpoint.answered');
    expect(answered).toMatchObject({ checkpoint: 'checkpoint-1', approved, note: 'I looked', by: 'person' });
  });
});

describe('a quota', () => {
  const until = (milliseconds: number): Perform => {
    let first = true;
    return async ({ task }) => {
      if (task.agent !== 'worker') {
        return { end: 'returned', outcome: outcomeOf('completed', { verdict: { priority: 'LOW', action: 'on' } }) };
      }
      const isFirst = first;
      first = false;
      const failure = { class: 'quota' as const, message: 'later', until: systemClock.now() + milliseconds };
      return { end: 'returned', outcome: isFirst ? outcomeOf('failed', { failure }) : outcomeOf('completed') };
    };
  };

  it('is waited for, and the run continues automatically', async () => {
    const { state, started } = await loop({ gated: true, perform: until(30) });
    expect([state.status, started.slice(0, 3).toSorted()]).toEqual(['completed', ['1.1', '1.1', '1.2']]);
  });

  it('does not keep anyone from stopping the run', async () => {
    const stop = once('delegation.ended', (engine) => engine.deliver({ kind: 'stop', how: 'pause' }));
    const { state, started } = await loop({ gated: true, perform: until(3_600_000) }, stop);
    expect([state.status, state.needsAnswer, started]).toEqual(['paused', false, ['1.1']]);
  });
});
