/**
 * What every engine promises, whatever makes it durable. An implementation passes this suite before it may run the core:
 * started once, delivered in order, nothing dropped, answers whenever they come, an end for everything that is cancelled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { delegationIdSchema } from '../../src/base/ids.ts';
import type { EventOf } from '../../src/core/event/event.ts';
import type { Outcome } from '../../src/core/event/outcome.ts';
import type { PlannedTask } from '../../src/core/event/planned-task.ts';
import type { Activity } from '../../src/core/attempt/activity.ts';
import type { ActivityEnd, Engine, Happening } from '../../src/engine/engine.ts';
import type { Perform } from '../../src/engine/local/local-engine.ts';
import { randomOf } from '../simulation/random.ts';

export interface EngineUnderTest {
  readonly engine: Engine;
  /** What a person does somewhere else. */
  readonly answer: (key: string, approved: boolean) => void;
}

const outcome: Outcome = { status: 'completed', summary: '', files: [], repairs: 0, degraded: [] };
const returned: ActivityEnd = { end: 'returned', outcome };

function activity(number: number): Activity {
  const id = `1.${number}`;
  const delegation = delegationIdSchema.parse(`sess_1700000000_${String(number).padStart(6, '0')}`);
  const task: PlannedTask = {
    id,
    title: id,
    description: id,
    after: [],
    scope: [],
    accept: [],
    tier: 'standard',
    agent: 'worker',
    done: false,
  };
  const registered: EventOf<'delegation.registered'> = {
    kind: 'delegation.registered',
    version: 1,
    at: 0,
    delegation,
    task: id,
    attempt: 1,
    agent: 'worker',
    tier: 'standard',
    class: 'implementing',
    path: ['orchestrator', 'run', 'worker'],
    deadline: Number.MAX_SAFE_INTEGER,
  };
  return { key: delegation, wave: 1, task, role: 'work', registered, earlier: [], notes: [] };
}

/** Everything that happens until so many activities have ended. */
async function until(engine: Engine, ends: number): Promise<Happening[]> {
  const all: Happening[] = [];
  while (all.filter(({ kind }) => kind === 'ended').length < ends) {
    const given = await engine.race();
    expect(given.length).toBeGreaterThan(0);
    all.push(...given);
  }
  return all;
}

const keyOf = (happening: Happening): string => ('key' in happening ? happening.key : '');

export function engineConformance(name: string, make: (perform: Perform) => EngineUnderTest): void {
  describe(`the ${name} engine`, () => {
    it('starts an activity once, however often it is asked to', async () => {
      let started = 0;
      const { engine } = make(async () => {
        started += 1;
        await sleep(5);
        return returned;
      });
      engine.start(activity(1));
      engine.start(activity(1));
      await until(engine, 1);
      engine.start(activity(1));
      engine.start(activity(2));
      await until(engine, 1);
      expect(started).toBe(2);
    });

    it('does not wait for one activity before it starts another', async () => {
      const { engine } = make(async ({ task }) => {
        await sleep(task.id === '1.1' ? 60 : 5);
        return returned;
      });
      for (let number = 1; number <= 3; number += 1) engine.start(activity(number));
      const order = (await until(engine, 3)).map(keyOf);
      expect(order.at(-1)).toBe(activity(1).key);
    });

    it('delivers what is noted before the end it belongs to, in order', async () => {
      const { engine } = make(async ({ registered }, _signal, note) => {
        const { delegation } = registered;
        note({ kind: 'delegation.started', delegation, pid: 7 });
        note({ kind: 'return.refused', delegation, repair: 1, violations: ['a'] });
        await sleep(3);
        note({ kind: 'return.refused', delegation, repair: 2, violations: ['b'] });
        return returned;
      });
      engine.start(activity(1));
      const all = await until(engine, 1);
      expect(all.map((one) => (one.kind === 'noted' ? one.note.kind : one.kind))).toEqual([
        'delegation.started',
        'return.refused',
        'return.refused',
        'ended',
      ]);
    });

    it('drops nothing of many activities of uneven length, some started while others end', async () => {
      const random = randomOf(7);
      const { engine } = make(async () => {
        await sleep(random.below(20));
        return returned;
      });
      const ended = new Set<string>();
      let started = 0;
      const startMore = (most: number): void => {
        for (; started < most && started < 100; started += 1) engine.start(activity(started));
      };
      startMore(10);
      while (ended.size < 100) {
        for (const one of await engine.race()) {
          expect(ended.has(keyOf(one))).toBe(false);
          ended.add(keyOf(one));
        }
        startMore(ended.size + 10);
      }
    });

    it('keeps what happens between two races', async () => {
      const { engine } = make(async () => returned);
      engine.start(activity(1));
      engine.start(activity(2));
      await sleep(20);
      const keys = (await until(engine, 2)).map(keyOf);
      expect(keys.toSorted()).toEqual([activity(1).key, activity(2).key]);
    });

    it('delivers an answer, and one that came before its question', async () => {
      const { engine, answer } = make(async () => returned);
      engine.ask({ key: 'checkpoint-1', why: 'look' });
      answer('checkpoint-1', true);
      expect(await engine.race()).toMatchObject([{ kind: 'answered', key: 'checkpoint-1', approved: true }]);
      answer('checkpoint-2', false);
      engine.start(activity(1));
      expect((await until(engine, 1)).map(({ kind }) => kind)).toEqual(['ended']);
      engine.ask({ key: 'checkpoint-2', why: 'look again' });
      expect(await engine.race()).toMatchObject([{ kind: 'answered', key: 'checkpoint-2', approved: false }]);
    });

    it('has an end for everything that is cancelled, and says how', async () => {
      const reasons: unknown[] = [];
      const { engine } = make(
        async (_activity, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              resolve({ end: 'cancelled', outcome });
            });
          }),
      );
      for (let number = 1; number <= 5; number += 1) engine.start(activity(number));
      engine.cancel('gently');
      const all = await until(engine, 5);
      expect(all.every((one) => one.kind === 'ended' && one.end === 'cancelled')).toBe(true);
      expect(reasons).toEqual(Array.from({ length: 5 }, () => 'gently'));
    });

    it('cancels nothing that is started afterwards', async () => {
      const { engine } = make(async (_activity, signal) => {
        await sleep(5);
        return signal.aborted ? { end: 'cancelled', outcome } : returned;
      });
      engine.cancel('at-once');
      engine.start(activity(1));
      expect(await until(engine, 1)).toMatchObject([{ end: 'returned' }]);
    });

    it('lets a fault of ours be seen, after what the others have brought', async () => {
      const { engine } = make(async ({ task }) => {
        if (task.id === '1.2') throw new Error('a broken invariant');
        return returned;
      });
      engine.start(activity(1));
      engine.start(activity(2));
      expect(await engine.race()).toMatchObject([{ kind: 'ended', key: activity(1).key }]);
      await expect(engine.race()).rejects.toThrow('a broken invariant');
    });
  });
}
