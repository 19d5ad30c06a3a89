import { expect, it } from 'vitest';
import { planBrief, planBudget } from './plan-brief.ts';
import type { ShownPlan, ShownTask } from '../run/show-plan.ts';

const task = (id: string, title: string): ShownTask => ({
  task: id,
  title,
  description: title,
  mark: ' ',
  status: 'pending',
  tier: 'fast',
  agent: 'worker',
  after: [{ task: '1.0' }],
  scope: ['src'],
  accept: ['run: npm test'],
});

const plan = (tasks: readonly ShownTask[]): ShownPlan => ({
  plan: 'plan.md',
  title: 'Sample',
  goal: '',
  settings: { concurrency: 1, driver: '', deadlines: {}, mode: 'default', budgets: {}, gated: true },
  waves: [{ wave: 1, title: 'Part', status: 'pending', reviewTier: 'deep', tasks }],
  checkpoints: [{ checkpoint: 'checkpoint-1', afterWave: 1, why: 'Right?', status: 'coming' }],
});

it('shows each task in a line', () => {
  expect(planBrief(plan([task('1.1', 'Do <it>')]))).toBe(
    '<divisi-plan file="plan.md" title="Sample" content="data">\nwave 1 Part\n' +
      '[ ] 1.1 Do &lt;it&gt; (fast; worker; after 1.0; scope src; 1 accept)\n- checkpoint: Right?\n</divisi-plan>\n' +
      'Nothing was started. next: run {"plan":"PATH"}, if the person wants it; `divisi run PATH --mode plan` shows all of it.',
  );
});

it('of thousands of tasks counts what does not fit', () => {
  const text = planBrief(plan(Array.from({ length: 5000 }, (_, at) => task(`1.${at}`, '<&>'.repeat(99)))));
  expect(text.length).toBeLessThanOrEqual(planBudget);
  expect(text).toMatch(/\nand 49\d\d more lines\n<\/divisi-plan>/);
});
