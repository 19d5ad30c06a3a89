/**
 * What every engine promises about steps: each is taken once, one that was interrupted may be asked for again, a cancel
 * reaches it, and a fault in it is seen.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CheckStep } from '../../src/core/decide/steps.ts';
import type { Engine, Happening, StepEvent } from '../../src/engine/engine.ts';
import type { PerformStep } from '../../src/engine/local/local-engine.ts';

function step(number: number): CheckStep {
  const key = `wave-${number}:check`;
  return { key, purpose: 'check', gate: `wave-${number}`, wave: number, commit: 'c', commands: [] };
}

const eventOf = (number: number): StepEvent => ({
  kind: 'gate.checked',
  gate: `wave-${number}`,
  wave: number,
  commit: 'c',
  commands: [],
});

const taken = (number: number): Happening => ({ kind: 'stepped', key: step(number).key, event: eventOf(number) });
const interrupted = (number: number): Happening => ({ kind: 'interrupted', key: step(number).key });

/** Ends when it is told to, with nothing. */
const untilAborted: PerformStep = async (_step, signal) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined));
  });

async function next(engine: Engine, count: number): Promise<Happening[]> {
  const all: Happening[] = [];
  while (all.length < count) all.push(...(await engine.race()));
  return all;
}

export function engineStepConformance(name: string, make: (performStep: PerformStep) => Engine): void {
  describe(`steps of the ${name} engine`, () => {
    it('are taken once, however often they are asked for, and bring their event', async () => {
      const began: string[] = [];
      const engine = make(async ({ key }) => {
        began.push(key);
        await sleep(5);
        return eventOf(key === step(1).key ? 1 : 2);
      });
      engine.step(step(1));
      engine.step(step(1));
      expect(await next(engine, 1)).toEqual([taken(1)]);
      engine.step(step(1));
      engine.step(step(2));
      expect(await next(engine, 1)).toEqual([taken(2)]);
      expect(began).toEqual([step(1).key, step(2).key]);
    });

    it('do not wait for one another', async () => {
      const engine = make(async ({ key }) => {
        const number = key === step(1).key ? 1 : 2;
        await sleep(number === 1 ? 60 : 5);
        return eventOf(number);
      });
      engine.step(step(1));
      engine.step(step(2));
      expect(await next(engine, 2)).toEqual([taken(2), taken(1)]);
    });

    it.each(['gently', 'at-once'] as const)('are reached by a cancel that comes %s', async (how) => {
      const reasons: unknown[] = [];
      const engine = make(async (one, signal) => {
        const end = await untilAborted(one, signal);
        reasons.push(signal.reason);
        return end;
      });
      engine.step(step(1));
      engine.step(step(2));
      engine.cancel(how);
      expect(await next(engine, 2)).toEqual([interrupted(1), interrupted(2)]);
      expect(reasons).toEqual([how, how]);
    });

    it('that are done although they were cancelled bring their event', async () => {
      const engine = make(async (one, signal) => {
        await untilAborted(one, signal);
        return eventOf(1);
      });
      engine.step(step(1));
      engine.cancel('gently');
      expect(await next(engine, 1)).toEqual([taken(1)]);
    });

    it('may be asked for again once they were interrupted, and not before', async () => {
      let times = 0;
      const engine = make(async (one, signal) => {
        times += 1;
        return times === 1 ? untilAborted(one, signal) : eventOf(1);
      });
      engine.step(step(1));
      engine.step(step(1));
      engine.cancel('gently');
      expect(await next(engine, 1)).toEqual([interrupted(1)]);
      engine.step(step(1));
      expect(await next(engine, 1)).toEqual([taken(1)]);
      expect(times).toBe(2);
    });

    it('that are asked for after a cancel are not cancelled', async () => {
      const engine = make(async (_step, signal) => {
        await sleep(5);
        return signal.aborted ? undefined : eventOf(1);
      });
      engine.cancel('at-once');
      engine.step(step(1));
      expect(await next(engine, 1)).toEqual([taken(1)]);
    });

    it('let a fault of ours be seen, after what the others have brought', async () => {
      const engine = make(async ({ key }) => {
        if (key === step(2).key) throw new Error('a broken invariant');
        return eventOf(1);
      });
      engine.step(step(1));
      engine.step(step(2));
      expect(await engine.race()).toEqual([taken(1)]);
      await expect(engine.race()).rejects.toThrow('a broken invariant');
    });
  });
}
