/** Features in worlds where anything may be said, answered or lost: each run comes to its end, and says what it did. */
import { expect, it } from 'vitest';
import { openCheckpoints, type RunState } from '../../src/core/state/state.ts';
import { randomOf, type Random } from '../simulation/random.ts';
import { Crash, type ScriptedRun } from '../support/scripted-run.ts';
import { delegated, type DocWords, featureRun, standings, type StepWord } from './feature-script.ts';

const names = ['auth', 'payments', 'mail', 'ui'];
const extras = ['code-simplifier', 'silent-failure-hunter', 'type-design-analyzer'];
const words: readonly StepWord[] = [
  'ok',
  'ok',
  'ok',
  'no',
  'no',
  'later',
  'changed',
  'blocked',
  'partial',
  'failed',
  'unread',
  'misread',
];

function randomDocs(random: Random): Record<string, DocWords> {
  const docs = names.map((name) => {
    const needs = names.filter(() => random.chance(0.25));
    return [name, { phases: 1 + random.below(2), priority: 1 + random.below(5), needs }] as const;
  });
  return Object.fromEntries(docs);
}

/** Until it has ended; a person answers, and resumes it once or twice where it failed. */
async function lived(run: ScriptedRun, random: Random): Promise<RunState> {
  let resumes = random.below(3);
  for (let left = 200; left > 0; left -= 1) {
    const crashAt = random.chance(0.5) ? run.events.length + 1 + random.below(30) : Infinity;
    const state = await run.work({ crashAt, recovers: random.chance(0.5) }).catch((error: unknown) => {
      if (error instanceof Crash) return run.state();
      throw error;
    });
    if (state.status === 'completed') return state;
    if (state.status === 'failed') {
      if (resumes === 0) return state;
      resumes -= 1;
    }
    for (const { id } of openCheckpoints(run.state())) {
      if (random.chance(0.8)) run.answer({ checkpoint: id, approved: random.chance(0.7) });
    }
  }
  throw new Error('it does not end');
}

it('ends in 50 worlds, and nothing is halted in those that completed', async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 50; seed += 1) {
    const random = randomOf(seed);
    const trouble = random.chance(0.3) ? 0 : random.below(100) / 100;
    const more = extras.filter(() => random.chance(0.5));
    const told = { docs: randomDocs(random), extras: more, concurrency: 1 + random.below(4) };
    const run = featureRun(names.join(', '), told, () => (random.chance(trouble) ? random.pick(words) : 'ok'));
    const state = await lived(run, random).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    });
    const kinds = new Set(Object.values(standings(state)));
    expect(
      [...kinds].filter((kind) => kind !== 'completed' && kind !== 'halted'),
      `seed ${seed}`,
    ).toEqual([]);
    expect(kinds.has('halted'), `seed ${seed}`).toBe(state.status === 'failed');
    expect(new Set(state.steps.keys()).size).toBe(state.steps.size);
    expect(delegated(run.events).length, `seed ${seed}`).toBeLessThan(1500);
    for (const { kind } of state.checkpoints) seen.set(kind, (seen.get(kind) ?? 0) + 1);
    seen.set(state.status, (seen.get(state.status) ?? 0) + 1);
  }
  // A world in which nothing goes wrong would prove nothing.
  const all = ['completed', 'failed', 'feature', 'cycle', 'failure'];
  expect(all.filter((what) => (seen.get(what) ?? 0) < 4)).toEqual([]);
}, 60_000);
