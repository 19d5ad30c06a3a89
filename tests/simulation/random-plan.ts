/** Plans with everything that makes scheduling hard: dependencies inside and across waves, overlapping scopes, ticked tasks. */
import type { Dependency, Plan, PlanTask } from '../../src/plan/plan.ts';
import type { Random } from './random.ts';

const scopes = ['.', 'src', 'src/a', 'src/a/one.ts', 'src/b', 'src/ab', 'docs', 'docs/guide.md', 'test'];

export function randomPlan(random: Random): Plan {
  const waves: { number: number; title: string; tasks: PlanTask[]; line: number }[] = [];
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
      const scope = Array.from({ length: random.below(3) }, () => random.pick(scopes));
      const mark = random.chance(0.05) ? 'x' : ' ';
      tasks.push({ id, title: `Task ${id}`, description: `Do ${id}.`, mark, after, scope, accept: [], line: 1 });
    }
    earlier.push(...tasks.map(({ id }) => id));
    waves.push({ number: wave, title: `Wave ${wave}`, tasks, line: 1 });
  }
  const checkpoints = waves
    .filter(() => random.chance(0.2))
    .map(({ number }) => ({ afterWave: number, why: `look at wave ${number}` }));
  return { title: 'Simulated', goal: 'hold', settings: { budgets: {} }, checkpoints, waves };
}
