/** What the architect is shown as a plan is one, with everything that it is asked for. */
import { describe, expect, it } from 'vitest';
import { builtInAgents } from '../../src/agents/built-in-agents.ts';
import { acceptCommand } from '../../src/plan/accept-command.ts';
import { loadPlan } from '../../src/plan/parse-plan.ts';

const instructions = builtInAgents.find(({ name }) => name === 'architect')?.instructions ?? '';
const example = /```markdown\n([\s\S]*?)\n```\n/.exec(instructions)?.[1] ?? '';

describe('the plan that the architect is shown', () => {
  const { plan } = loadPlan(example, 'example.md');
  const tasks = plan.waves.flatMap((wave) => wave.tasks);

  it('loads, with its checkpoint and a review of each wave', () => {
    expect(plan).toMatchObject({
      title: 'Prices in cents',
      goal: 'Every price is a whole number of cents, in the code and in the database.',
      checkpoints: [{ afterWave: 1, why: 'the migration changes stored data; is the way back good enough?' }],
      waves: [
        { number: 1, reviewTier: 'deep' },
        { number: 2, reviewTier: 'standard' },
      ],
    });
  });

  it.each(tasks)('$id has an agent, a tier, a scope, and a command that proves it', (task) => {
    expect([task.agent, task.tier, task.scope]).not.toContain(undefined);
    expect(task.scope).not.toEqual([]);
    expect(task.isUnmarked).toBeUndefined();
    expect(task.accept.map(acceptCommand).filter(Array.isArray)).toHaveLength(1);
  });
});
