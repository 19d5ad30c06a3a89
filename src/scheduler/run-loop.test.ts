import { describe, expect, it } from 'vitest';
import { createdRun, happen, outcomeOf, planOf } from '../../tests/support/state-of.ts';
import { delegationIds } from '../contracts/ids.ts';
import type { RunEvent } from '../core/event.ts';
import type { RunState } from '../core/state.ts';
import type { Happening } from '../engine/engine.ts';
import { type LocalEngine, localEngine, type Perform } from '../engine/local/local-engine.ts';
import { type LoopDeps, runLoop } from './run-loop.ts';
import { systemClock } from './system-clock.ts';

interface Looped {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly started: readonly string[];
}

const completes: Perform = async () => ({ end: 'returned', outcome: outcomeOf('completed') });

async function loop(
  { perform = completes, before = [], ...more }: Partial<LoopDeps> & { perform?: Perform; before?: Happening[] },
  during: (engine: LocalEngine, events: readonly RunEvent[]) => void = () => undefined,
): Promise<Looped> {
  const state = happen(createdRun(planOf([[{ id: '1.1' }, { id: '1.2' }]]), 1), { kind: 'run.started', command: 'x' });
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
  await runLoop(state, {
    engine,
    before,
    clock: systemClock,
    newDelegation: delegationIds(systemClock, Math.random),
    append: (all) => events.push(...all),
    committed: () => during(engine, events),
    grace: 0,
    atCheckpoint: 'pause',
    ...more,
  });
  return { state, events, started };
}

describe('the loop', () => {
  it('starts nothing when it was told to stop before it began', async () => {
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
