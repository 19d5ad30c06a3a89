/**
 * Plans with everything that makes scheduling hard: dependencies inside and across waves, overlapping scopes, ticked tasks,
 * reviews of single tasks, budgets.
 */
import type { Dependency, Plan, PlanBudgets, PlanTask, PlanWave } from '../../src/plan/plan.ts';
import { tiers } from '../../src/plan/plan.ts';
import type { Random } from './random.ts';

const scopes = ['.', 'src', 'src/a', 'src/a/one.ts', 'src/b', 'src/ab', 'docs', 'docs/guide.md', 'test'];

/** What tells that it holds, and the command in it where there is one. */
export const criteria: Readonly<Record<string, readonly string[] | null>> = {
  'npm test': ['npm', 'test'],
  '`make check`': ['make', 'check'],
  'run: node tools/check.js': ['node', 'tools/check.js'],
  'it reads well': null,
};

export function randomAccept(random: Random): string[] {
  return random.chance(0.6) ? [] : Object.keys(criteria).filter(() => random.chance(0.4));
}

export function randomScope(random: Random): string[] {
  return Array.from({ length: random.below(3) }, () => random.pick(scopes));
}

/** What only some tasks have. */
export function randomExtras(random: Random): Pick<PlanTask, 'tier' | 'review' | 'budgets'> {
  return {
    ...(random.chance(0.5) ? { tier: random.pick(tiers) } : {}),
    ...(random.chance(0.15) ? { review: random.pick(tiers) } : {}),
    ...(random.chance(0.1) ? { budgets: taskBudgets(random) } : {}),
  };
}

function taskBudgets(random: Random): PlanBudgets {
  return random.pick<PlanBudgets>([{ delegations: 2 }, { minutes: 0.01 }, { tokens: 300 }, { cost: 0.5 }]);
}

function runBudgets(random: Random): PlanBudgets {
  if (random.chance(0.6)) return {};
  return {
    ...(random.chance(0.5) ? { delegations: 3 + random.below(30) } : {}),
    // Not a whole number of milliseconds.
    ...(random.chance(0.3) ? { minutes: 1 / (3 + random.below(30)) } : {}),
    ...(random.chance(0.3) ? { tokens: 500 + random.below(5000) } : {}),
  };
}

export function randomPlan(random: Random): Plan {
  const waves: PlanWave[] = [];
  const earlier: string[] = [];
  const count = 1 + random.below(4);
  for (let wave = 1; wave <= count; wave += 1) {
    const tasks: PlanTask[] = [];
    const size = 1 + random.below(8);
    for (let at = 1; at <= size; at += 1) {
      const id = `${wave}.${at}`;
      const after: Dependency[] = [];
      for (const { id: other } of tasks) if (random.chance(0.2)) after.push({ task: other });
      if (earlier.length > 0 && random.chance(0.3)) after.push({ task: random.pick(earlier) });
      if (wave > 1 && random.chance(0.1)) after.push({ wave: 1 + random.below(wave - 1) });
      const scope = randomScope(random);
      const mark = random.chance(0.05) ? 'x' : ' ';
      const words = { id, title: `Task ${id}`, description: `Do ${id}.`, accept: randomAccept(random), line: 1 };
      tasks.push({ ...words, mark, after, scope, ...randomExtras(random) });
    }
    earlier.push(...tasks.map(({ id }) => id));
    const reviewTier = random.chance(0.3) ? { reviewTier: random.pick(tiers) } : {};
    waves.push({ number: wave, title: `Wave ${wave}`, tasks, line: 1, ...reviewTier });
  }
  const checkpoints = waves
    .filter(() => random.chance(0.2))
    .map(({ number }) => ({ afterWave: number, why: `look at wave ${number}` }));
  return { title: 'Simulated', goal: 'hold', settings: { budgets: runBudgets(random) }, checkpoints, waves };
}
